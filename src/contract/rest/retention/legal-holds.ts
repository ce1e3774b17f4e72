/**
 * [ours] The legal hold of a near miss (decisions §20.5): while an admin holds it, it is neither anonymised nor deleted, and its history
 * is not redacted.
 */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';

const REASON_MAX = 500;

const legalHold = z.object({
  held: z.boolean(),
  /** Null, like the others, unless it is held. */
  reason: z.string().nullable(),
  set_by: z.object({ id, name: z.string(), login: z.string() }).nullable(),
  set_at: dateTime.nullable(),
});
export type LegalHold = z.infer<typeof legalHold>;

const legalHoldPut = z.object({
  reason: z
    .string('must be a text')
    .trim()
    .min(1, 'must not be empty')
    .max(REASON_MAX, `must have at most ${REASON_MAX} characters`),
});
export type LegalHoldPut = z.infer<typeof legalHoldPut>;

const tag = 'Retention';
const path = '/rest/v1.0/projects/{project_id}/incidents/near_misses/{id}/legal_hold';
const params = { project_id: pathId, id: pathId };

export const legalHoldEndpoints = {
  'legal_hold.show': endpoint({
    method: 'GET',
    path,
    params,
    reply: legalHold,
    extension: true,
    tag,
    summary: 'Show whether a near miss is under a legal hold',
  }),
  'legal_hold.put': endpoint({
    method: 'PUT',
    path,
    params,
    body: z.object({ legal_hold: legalHoldPut }),
    reply: legalHold,
    extension: true,
    tag,
    summary: 'Put a near miss under a legal hold, or give another reason',
  }),
  'legal_hold.delete': endpoint({
    method: 'DELETE',
    path,
    params,
    extension: true,
    tag,
    summary: 'Release the legal hold of a near miss',
  }),
};
