/**
 * The shape of a route. http/ has already checked token, company, project, path, query and body against the
 * contract when a handler runs, so a handler only says which rule of domain/ answers it.
 */
import type { z } from 'zod';
import type { EndpointName, Endpoints } from '../../contract/rest/index.ts';
import type { App } from '../app.ts';
import type { RowPage } from '../domain/page.ts';
import type { Db } from '../store/db.ts';

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
  /** The company of the header: the user belongs to it. */
  readonly company_id: number;
  /** The moment of this request. */
  readonly now: number;
  /** `http://host:port`, what absolute addresses in answers start with. */
  readonly base_url: string;
  /** GET: the reading connection. Else the transaction that also keeps the idempotency key (decisions §1.5). */
  readonly db: Db;
  readonly app: App;
  /** [ours] The raw `If-Match`; see domain/etag.ts (decisions §1.7). */
  readonly if_match: string | undefined;
}

export interface Answer<N extends EndpointName> {
  readonly data: z.output<Endpoints[N]['reply']>;
  /** Quoted. */
  readonly etag?: string;
  /** Rows on all pages, of a paged list. */
  readonly total?: number;
  /** Of a long page, instead of `data`: its rows in order, a part at a time (domain/page.ts). */
  readonly parts?: AsyncIterable<readonly unknown[]>;
  /** Of a page whose rows are written out one by one, instead of `data`. */
  readonly rows?: RowPage;
}

export type Run<N extends EndpointName> = (call: Call<N>) => Promise<Answer<N>>;

/**
 * A route that must wait for something other than the database: `prepare` runs before the transaction (its `db`
 * reads), and answers what to do inside it.
 */
export interface TwoStep<N extends EndpointName> {
  readonly prepare: (call: Call<N>) => Promise<Run<N>>;
  /** May it run beside others of its kind in one transaction (see `Store.write`)? */
  readonly beside?: (call: Call<N>) => boolean;
}

export type Handler<N extends EndpointName> = Run<N> | TwoStep<N>;
export type Handlers = { readonly [N in EndpointName]: Handler<N> };
/** The part of the table that one file of routes/ fills. */
export type HandlersOf<N extends EndpointName> = Pick<Handlers, N>;
