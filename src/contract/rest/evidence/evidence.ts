/**
 * [ours] The evidence pack of a near miss (decisions §19.2): a write, because every pack is logged. The response holds an address
 * from which the pack is streamed.
 */
import { z } from 'zod';
import { languages } from '../../languages.ts';
import { dateTime, endpoint, pathId } from '../protocol/endpoint.ts';

const evidenceCreate = z.object({
  /** True: with the names of people, as the record has them. */
  with_names: z.boolean('must be true or false').default(false),
  /** The language of the page that people read. */
  language: z.enum(languages, `must be one of ${languages.join(', ')}`).default('en'),
});
export type EvidenceCreate = z.infer<typeof evidenceCreate>;

const evidence = z.object({
  /** Streams a ZIP. Needs no token, so it is as secret as the record. */
  url: z.string(),
  filename: z.string(),
  expires_at: dateTime,
});
export type Evidence = z.infer<typeof evidence>;

export const evidenceEndpoints = {
  'near_miss_evidence.create': endpoint({
    method: 'POST',
    path: '/rest/v1.0/projects/{project_id}/incidents/near_misses/{id}/evidence',
    params: { project_id: pathId, id: pathId },
    body: z.object({ evidence: evidenceCreate.default({ with_names: false, language: 'en' }) }),
    reply: evidence,
    status: 201,
    secret: true,
    hostOnly: true,
    extension: true,
    tag: 'Evidence',
    summary: 'Make an evidence pack of a near miss, and log it',
  }),
};
