/** Near misses, their recycle bin (reference: Near misses; decisions §3), history (decisions §15) and comments (decisions §18). */
import type { EndpointName } from '../../contract/rest/index.ts';
import { listNearMisses } from '../domain/near-misses/near-miss-list.ts';
import {
  createComment,
  listComments,
  removeComment,
} from '../domain/near-misses/near-miss-comments.ts';
import { listHistory, redactHistory } from '../domain/near-misses/near-miss-history.ts';
import * as rules from '../domain/near-misses/near-misses.ts';
import { filesContext } from './context.ts';
import type { HandlersOf } from './handler.ts';
import { afterArrivals } from './uploads.ts';

type NearMissEndpoint = Extract<
  EndpointName,
  | `near_misses.${string}`
  | `recycled_near_misses.${string}`
  | `near_miss_history.${string}`
  | `near_miss_comments.${string}`
>;

const targetOf = (call: {
  readonly params: { readonly id: number };
  readonly query: { readonly incident_id?: number | undefined };
}) => ({ id: call.params.id, incident_id: call.query.incident_id });

export const nearMissHandlers: HandlersOf<NearMissEndpoint> = {
  'near_misses.list': (call) => listNearMisses(filesContext(call), call.query, false),
  'near_misses.create': {
    ...afterArrivals(
      (call) => call.body.near_miss.upload_uuids,
      (call) => rules.createNearMiss(filesContext(call), call.body.near_miss, call.user),
    ),
    // Creates that name uploads run alone, because two that name the same upload must see each other.
    beside: (call) => (call.body.near_miss.upload_uuids ?? []).length === 0,
  },
  'near_misses.show': (call) => rules.showNearMiss(filesContext(call), targetOf(call)),
  'near_misses.update': afterArrivals(
    (call) => call.body.near_miss.upload_uuids,
    (call) =>
      rules.updateNearMiss(filesContext(call), targetOf(call), call.body.near_miss, call.if_match),
  ),
  'near_misses.delete': async (call) => {
    await rules.recycleNearMiss(filesContext(call), targetOf(call), call.if_match);
    return { data: undefined };
  },
  'recycled_near_misses.list': (call) => listNearMisses(filesContext(call), call.query, true),
  'recycled_near_misses.show': (call) =>
    rules.showNearMiss(filesContext(call), { ...targetOf(call), recycled: true }),
  'recycled_near_misses.restore': (call) =>
    rules.restoreNearMiss(filesContext(call), targetOf(call), call.if_match),
  'near_miss_history.list': (call) => listHistory(filesContext(call), call.params.id, call.query),
  'near_miss_history.redact': async (call) => ({
    data: await redactHistory(filesContext(call), call.params.id, call.params.entry_id),
  }),
  'near_miss_comments.list': (call) => listComments(filesContext(call), call.params.id, call.query),
  'near_miss_comments.create': async (call) => ({
    data: await createComment(filesContext(call), call.params.id, call.body.comment.text),
  }),
  'near_miss_comments.delete': async (call) => ({
    data: await removeComment(filesContext(call), call.params.id, call.params.comment_id),
  }),
};
