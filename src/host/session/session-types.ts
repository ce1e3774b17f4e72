/** The session's interface to other modules, and its dependencies. */
import type { ConnectInput, SessionView } from '../../contract/host.ts';
import type { Result } from '../../contract/problem.ts';
import type { Me } from '../../contract/rest/me.ts';
import type { Api, ApiReply, LooseInput, Target } from '../http/request.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Vault } from '../vault/index.ts';
import type { Batches } from '../http/batches.ts';
import type { Embedded } from './embedded.ts';
import type { LocalCompany } from './local-company.ts';
import type { ProviderClient } from './sign-in/provider-client.ts';

export interface Session {
  view(): SessionView;
  tryServer(
    address: string,
    token: string,
    companyId: number,
  ): Promise<Result<{ address: string; me: Me | null }>>;
  /** Exchanges an enrolment code for a token and keeps it for `connect`. Stores nothing. */
  enrol(
    address: string,
    code: string,
  ): Promise<Result<{ address: string; company_id: number; me: Me | null }>>;
  /** Asks a server for its identity provider. */
  offer(address: string): Promise<Result<{ address: string; issuer: string | null }>>;
  /** Signs in with it in the system's browser and keeps the result for `connect`. Stores nothing. */
  signIn(address: string): Promise<Result<{ address: string; me: Me | null }>>;
  cancelSignIn(): void;
  connect(input: ConnectInput): Promise<Result<SessionView>>;
  chooseProject(projectId: number): Promise<Result<SessionView>>;
  signOut(): Promise<Result<SessionView>>;
  unlock(): Promise<Result<SessionView>>;
  /**
   * The current server, token and company, or `not_connected`, `signed_out` or `vault`. Given an `account`, fails with
   * `cancelled` if the session belongs to another account by then (failures A9).
   */
  target(account?: string): Promise<Result<Target>>;
  /** Sends a request with this session. `account` works as in `target`. The response is verified by `believe`. */
  request(name: string, input: LooseInput, account?: string): Promise<Result<ApiReply>>;
  /**
   * Verifies a response that another module received from this target. A 401 or 403 counts only if `/me` confirms it: then the
   * session is signed out, or the problem is `no_access`. Otherwise it is a broken reply, or a refusal of this one request.
   */
  believe<T>(target: Target, result: Result<T>): Promise<Result<T>>;
  /** Checks, rate-limited, whether the server accepts a refused token again. If so, the session is restored. */
  askAgain(): void;
  reach(): Promise<Result<{ server_time: number | null }>>;
  /** Runs `work` while the embedded service is stopped. Null if the session does not use that service. */
  withoutService<T>(work: () => Promise<Result<T>>): Promise<Result<T> | null>;
  /** Milliseconds since the epoch, corrected by the server's clock (outbox promise 6). */
  now(): number;
}

/** Session kinds that use an embedded service on this laptop. */
export type Here = 'this_laptop' | 'local_company';

export interface SessionParts {
  readonly folder: string;
  readonly api: Api;
  readonly batches: Batches;
  readonly vault: Vault;
  readonly provider: ProviderClient;
  /** Opens an address in the system's browser; false if there is none. */
  readonly open_link: (href: string) => Promise<boolean>;
  /** The embedded services: sample data, and the local company. */
  readonly services: Readonly<Record<Here, Embedded>>;
  readonly local_company: LocalCompany;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (view: SessionView) => void;
}
