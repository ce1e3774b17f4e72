/** The closed list of endpoints. To add a resource, add a file to this folder and a line here. */
import type { z } from 'zod';
import { enrolmentEndpoints } from './access/enrolment.ts';
import { mailEndpoints } from './access/mail.ts';
import { serviceAccountEndpoints } from './access/service-accounts.ts';
import { shiftEndpoints } from './access/shifts.ts';
import { signInEndpoints } from './access/sign-in.ts';
import { tokenInfoEndpoints } from './access/token-info.ts';
import { tokenEndpoints } from './access/tokens.ts';
import { userEndpoints } from './access/users.ts';
import { batchEndpoints } from './protocol/batch.ts';
import { catalogEndpoints } from './catalog.ts';
import { companyEndpoints } from './companies.ts';
import { companyRecordEndpoints } from './company-records.ts';
import type { Endpoint } from './protocol/endpoint.ts';
import { adminActEndpoints } from './evidence/admin-acts.ts';
import { evidenceEndpoints } from './evidence/evidence.ts';
import { signingKeyEndpoints } from './evidence/signing-keys.ts';
import { nearMissCommentEndpoints } from './history/near-miss-comments.ts';
import { nearMissHistoryEndpoints } from './history/near-miss-history.ts';
import { incidentEndpoints } from './incidents.ts';
import { insuranceEndpoints } from './insurances.ts';
import { meEndpoints } from './me.ts';
import { nearMissAttachmentEndpoints } from './near-miss-attachments.ts';
import { nearMissEndpoints } from './near-misses.ts';
import type { Paging } from './protocol/paging.ts';
import { planEndpoints } from './plans/plans.ts';
import { projectMembershipEndpoints } from './project-memberships.ts';
import { projectUploadEndpoints } from './project-uploads.ts';
import { erasureEndpoints } from './retention/erasures.ts';
import { legalHoldEndpoints } from './retention/legal-holds.ts';
import { personCopyEndpoints } from './retention/person-copies.ts';
import { retentionEndpoints } from './retention/retention.ts';
import { timeAndMaterialEntryAttachmentEndpoints } from './time-and-material-entry-attachments.ts';
import { uploadEndpoints } from './uploads.ts';
import { webhookSigningSecretEndpoints } from './webhook-signing-secrets.ts';
import { vapidWebhookEndpoints, webhookEndpoints } from './webhooks.ts';
import { workplaceEndpoints } from './workplaces.ts';

export const endpoints = {
  ...nearMissEndpoints,
  ...nearMissAttachmentEndpoints,
  ...nearMissHistoryEndpoints,
  ...nearMissCommentEndpoints,
  ...evidenceEndpoints,
  ...signingKeyEndpoints,
  ...adminActEndpoints,
  ...retentionEndpoints,
  ...erasureEndpoints,
  ...personCopyEndpoints,
  ...legalHoldEndpoints,
  ...incidentEndpoints,
  ...catalogEndpoints,
  ...companyEndpoints,
  ...companyRecordEndpoints,
  ...insuranceEndpoints,
  ...timeAndMaterialEntryAttachmentEndpoints,
  ...projectMembershipEndpoints,
  ...planEndpoints,
  ...meEndpoints,
  ...workplaceEndpoints,
  ...userEndpoints,
  ...tokenEndpoints,
  ...tokenInfoEndpoints,
  ...enrolmentEndpoints,
  ...signInEndpoints,
  ...serviceAccountEndpoints,
  ...shiftEndpoints,
  ...mailEndpoints,
  ...uploadEndpoints,
  ...projectUploadEndpoints,
  ...webhookEndpoints,
  ...vapidWebhookEndpoints,
  ...webhookSigningSecretEndpoints,
  ...batchEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
export const endpointNames = Object.keys(endpoints) as EndpointName[];

/**
 * Widens one endpoint to `Endpoint`, for code that treats all endpoints alike. The compiler compares the types here, once:
 * repeating that comparison in another program takes as long as checking all the rest of a room.
 */
export const anyEndpoint = (name: EndpointName): Endpoint => endpoints[name];

type Optional<T> = { [K in keyof T]?: T[K] | undefined };
type BodyOf<N extends EndpointName> = z.input<Endpoints[N]['body']>;

/**
 * Input of a request: path parameters as parsed (ids as numbers), any part of the query, and the body if the endpoint has one.
 */
export type RequestInput<N extends EndpointName> = {
  readonly params: z.output<Endpoints[N]['params']>;
  readonly query?: Optional<z.output<Endpoints[N]['query']>>;
  /** [ours] decisions §1.5: the ULID of the outbox operation. */
  readonly idempotency_key?: string;
  /** [ours] decisions §1.7 */
  readonly if_match?: string;
  readonly if_none_match?: string;
  /** For a write: the id in its previous response that the caller does not believe (contract/host.ts). */
  readonly doubted_id?: number;
} & (BodyOf<N> extends undefined ? { readonly body?: undefined } : { readonly body: BodyOf<N> });

export interface Reply<N extends EndpointName> {
  readonly status: number;
  /** The parsed body; undefined for 204 and 304. */
  readonly data: z.output<Endpoints[N]['reply']>;
  readonly paging: Paging | null;
  readonly etag: string | null;
  /** True if the server replayed a stored response (`Idempotency-Replayed`). */
  readonly replayed: boolean;
  /** The server's `Date` in milliseconds since the epoch; null if it sent none. */
  readonly server_time: number | null;
}
