/**
 * Types of a route. Before a handler runs, http/ has checked token, company, project, path, query and body against
 * the contract. A handler only calls a rule of domain/.
 */
import type { z } from 'zod';
import type { Access } from '../../contract/rest/access/levels.ts';
import type { EndpointName, Endpoints } from '../../contract/rest/index.ts';
import type { App } from '../app.ts';
import type { RowPage } from '../domain/page.ts';
import type { Membership, UsedToken } from '../store/access/tokens.ts';
import type { Db } from '../store/engine/db.ts';

export interface User {
  readonly id: number;
  readonly login: string;
  readonly name: string;
}

export interface Call<N extends EndpointName> {
  readonly params: z.output<Endpoints[N]['params']>;
  readonly query: z.output<Endpoints[N]['query']>;
  readonly body: z.output<Endpoints[N]['body']>;
  readonly user: User;
  /** The company in the header; the user is a member of it. 0, the id of no company, if the endpoint needs none and none is named. */
  readonly company_id: number;
  /** The companies that the token may name, and what it may do in each. */
  readonly memberships: readonly Membership[];
  /** What the caller may do in the company (decisions §12.2). */
  readonly access: Access;
  readonly token: UsedToken;
  readonly now: number;
  /** `http://host:port`, the prefix of absolute URLs in responses. */
  readonly base_url: string;
  /** GET: the read connection. Otherwise the transaction that also stores the idempotency key (decisions §1.5). */
  readonly db: Db;
  readonly app: App;
  /** [ours] The program that sent the request, by its `User-Agent`; null if it named none (decisions §15). */
  readonly client: string | null;
  /** [ours] The raw `If-Match`; see domain/etag.ts (decisions §1.7). */
  readonly if_match: string | undefined;
}

export interface Answer<N extends EndpointName> {
  readonly data: z.output<Endpoints[N]['reply']>;
  /** Quoted. */
  readonly etag?: string;
  /** Total rows on all pages of a list. */
  readonly total?: number;
  /** For a long page, instead of `data`: the rows in order, in chunks (domain/page.ts). */
  readonly parts?: AsyncIterable<readonly unknown[]>;
  /** For a page with rows serialized one by one, instead of `data`. */
  readonly rows?: RowPage;
}

export type Run<N extends EndpointName> = (call: Call<N>) => Promise<Answer<N>>;

/**
 * A route that waits for something other than the database. `prepare` runs before the transaction, with a read-only
 * `db`, and returns the work to do inside it.
 */
export interface TwoStep<N extends EndpointName> {
  readonly prepare: (call: Call<N>) => Promise<Run<N>>;
  /** True if it may share a transaction with concurrent writes of its kind (see `Store.write`). */
  readonly beside?: (call: Call<N>) => boolean;
}

export type Handler<N extends EndpointName> = Run<N> | TwoStep<N>;
/** A batch has no handler: its operations have theirs (http/batch/batch.ts). */
export type RoutedName = Exclude<EndpointName, 'batch.send'>;
export type Handlers = { readonly [N in RoutedName]: Handler<N> };
/** The handlers that one file of routes/ provides. */
export type HandlersOf<N extends RoutedName> = Pick<Handlers, N>;
