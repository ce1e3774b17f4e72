/**
 * Sends up to 100 writes in one request [ours] (decisions §13). Every operation is a request of the reference with its own key.
 * Its answer is the same as if the request were sent alone.
 */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The most operations of one batch. */
export const BATCH_MAX = 100;
export const BATCH_PATH = '/rest/v1.0/batch';

const operation = z.object({
  method: z.enum(['POST', 'PATCH', 'DELETE'], { error: 'must be POST, PATCH or DELETE' }),
  /** Address from the root, with its query. */
  path: z
    .string({ error: 'must be the address of a request, with its query' })
    .max(8192)
    .regex(/^\/[\x21-\x7e]*$/, 'must begin with / and be encoded as in a URL'),
  idempotency_key: z
    .string({ error: 'must be 1 to 255 visible ASCII characters' })
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters'),
  if_match: z.string().max(255).optional(),
  body: z.unknown().optional(),
});

const answer = z.object({
  status: z.number().int().min(200).max(599),
  /** Headers of this operation's answer, such as `ETag` and `Idempotency-Replayed`. All have the `Content-Type` of the batch. */
  headers: z.record(z.string(), z.string()),
  /** Absent if the answer has no body. */
  body: z.unknown().optional(),
});

export const batchEndpoints = {
  'batch.send': endpoint({
    method: 'POST',
    path: BATCH_PATH,
    params: {},
    body: z.object({
      operations: z
        .array(operation, { error: 'must be a list of requests' })
        .min(1, 'must have one request at least')
        .max(BATCH_MAX, `must have ${BATCH_MAX} requests at most`),
    }),
    reply: z.object({ operations: z.array(answer).max(BATCH_MAX) }),
    status: 207,
    items: 'operations',
    extension: true,
    tag: 'Batch',
    summary: 'Up to 100 writes in one request, each with its own answer',
  }),
};
