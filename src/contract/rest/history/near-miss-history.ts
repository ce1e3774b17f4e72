/** [ours] The history of a near miss: who changed which field from what to what (decisions §15). */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

const historyActions = [
  'created',
  'updated',
  'recycled',
  'restored',
  'redacted',
  'anonymised',
] as const;

const value = z.union([z.string(), z.number(), z.null()]);

/** One field: `description`, `harm_source_id` (ids), `custom_field_7` (texts), `attachments` (a file's name). */
const historyChange = z.object({ field: z.string(), from: value, to: value });
export type HistoryChange = z.infer<typeof historyChange>;

export const historyEntry = z.object({
  /** Counts upward within the near miss. 0: its creation. */
  id: z.number().int().nonnegative(),
  at: dateTime,
  user: z.object({ id, name: z.string(), login: z.string() }),
  /** The program that sent the request, as it named itself (`User-Agent`). */
  client: z.string().nullable(),
  action: z.enum(historyActions),
  /** Empty if the content was redacted. */
  changes: z.array(historyChange),
  redacted: z.boolean(),
  /** SHA-256 of the salt and the changes. It stays when the content is redacted; the salt goes. Null for the creation. */
  digest: z.string().nullable(),
  salt: z.string().nullable(),
  /** SHA-256 over the entry and the hash of the entry before, so that no entry can be changed or left out unnoticed. */
  hash: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

const tag = 'Near misses';
const path = '/rest/v1.0/projects/{project_id}/incidents/near_misses/{id}/history';

export const nearMissHistoryEndpoints = {
  'near_miss_history.list': endpoint({
    method: 'GET',
    path,
    params: { project_id: pathId, id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(historyEntry),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List who changed a near miss, newest first',
  }),
  'near_miss_history.redact': endpoint({
    method: 'DELETE',
    path: `${path}/{entry_id}`,
    params: { project_id: pathId, id: pathId, entry_id: pathId },
    reply: historyEntry,
    extension: true,
    tag,
    summary: 'Redact an entry: what it changed goes, that it was changed stays',
  }),
};
