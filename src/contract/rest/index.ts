/** The closed list of endpoints. A new resource is a file beside this one and a line here. */
import type { z } from 'zod';
import { catalogEndpoints } from './catalog.ts';
import { companyEndpoints } from './companies.ts';
import { companyRecordEndpoints } from './company-records.ts';
import type { Endpoint } from './endpoint.ts';
import { incidentEndpoints } from './incidents.ts';
import { insuranceEndpoints } from './insurances.ts';
import { meEndpoints } from './me.ts';
import { nearMissAttachmentEndpoints } from './near-miss-attachments.ts';
import { nearMissEndpoints } from './near-misses.ts';
import type { Paging } from './paging.ts';
import { projectMembershipEndpoints } from './project-memberships.ts';
import { projectUploadEndpoints } from './project-uploads.ts';
import { timeAndMaterialEntryAttachmentEndpoints } from './time-and-material-entry-attachments.ts';
import { uploadEndpoints } from './uploads.ts';
import { webhookSigningSecretEndpoints } from './webhook-signing-secrets.ts';
import { vapidWebhookEndpoints, webhookEndpoints } from './webhooks.ts';

export const endpoints = {
  ...nearMissEndpoints,
  ...nearMissAttachmentEndpoints,
  ...incidentEndpoints,
  ...catalogEndpoints,
  ...companyEndpoints,
  ...companyRecordEndpoints,
  ...insuranceEndpoints,
  ...timeAndMaterialEntryAttachmentEndpoints,
  ...projectMembershipEndpoints,
  ...meEndpoints,
  ...uploadEndpoints,
  ...projectUploadEndpoints,
  ...webhookEndpoints,
  ...vapidWebhookEndpoints,
  ...webhookSigningSecretEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
export const endpointNames = Object.keys(endpoints) as EndpointName[];

/**
 * One of them, for whoever treats all alike. That each is an `Endpoint` is compared here, once: in every other program of the compiler
 * the comparison takes as long as all the rest of a room.
 */
export const anyEndpoint = (name: EndpointName): Endpoint => endpoints[name];

type Optional<T> = { [K in keyof T]?: T[K] | undefined };
type BodyOf<N extends EndpointName> = z.input<Endpoints[N]['body']>;

/** What a caller gives: path parameters as they read (ids as numbers), any part of the query, the body if there is one. */
export type RequestInput<N extends EndpointName> = {
  readonly params: z.output<Endpoints[N]['params']>;
  readonly query?: Optional<z.output<Endpoints[N]['query']>>;
  /** [ours] decisions §1.5: the outbox entry's ULID. */
  readonly idempotency_key?: string;
  /** [ours] decisions §1.7 */
  readonly if_match?: string;
  readonly if_none_match?: string;
} & (BodyOf<N> extends undefined ? { readonly body?: undefined } : { readonly body: BodyOf<N> });

/** What comes back of a success. */
export interface Reply<N extends EndpointName> {
  readonly status: number;
  /** The parsed body; undefined for 204 and 304. */
  readonly data: z.output<Endpoints[N]['reply']>;
  readonly paging: Paging | null;
  readonly etag: string | null;
  /** True when the server said that it replayed a stored answer (`Idempotency-Replayed`). */
  readonly replayed: boolean;
  /** The server's `Date` as milliseconds since the epoch, null where it sent none. */
  readonly server_time: number | null;
}
