/** Near misses and their recycle bin (reference: Near misses; decisions §3). */
import type { EndpointName } from '../../contract/rest/index.ts';
import * as rules from '../domain/near-misses.ts';
import type { Call, HandlersOf } from './handler.ts';
import { afterArrivals } from './uploads.ts';

export type ProjectEndpoint = Extract<
  EndpointName,
  `near_misses.${string}` | `recycled_near_misses.${string}` | `near_miss_attachments.${string}`
>;

export const contextOf = (call: Call<ProjectEndpoint>): rules.Context => ({
  db: call.db,
  company_id: call.company_id,
  project_id: call.params.project_id,
  user_id: call.user.id,
  now: call.now,
  base_url: call.base_url,
  uploads: call.app.uploads,
});

const targetOf = (call: {
  readonly params: { readonly id: number };
  readonly query: { readonly incident_id?: number | undefined };
}) => ({ id: call.params.id, incident_id: call.query.incident_id });

export const nearMissHandlers: HandlersOf<
  Exclude<ProjectEndpoint, `near_miss_attachments.${string}`>
> = {
  'near_misses.list': (call) => rules.listNearMisses(contextOf(call), call.query, false),
  'near_misses.create': afterArrivals(
    (call) => call.body.near_miss.upload_uuids,
    (call) => rules.createNearMiss(contextOf(call), call.body.near_miss),
  ),
  'near_misses.show': (call) => rules.showNearMiss(contextOf(call), targetOf(call)),
  'near_misses.update': afterArrivals(
    (call) => call.body.near_miss.upload_uuids,
    (call) =>
      rules.updateNearMiss(contextOf(call), targetOf(call), call.body.near_miss, call.if_match),
  ),
  'near_misses.delete': async (call) => {
    await rules.recycleNearMiss(contextOf(call), targetOf(call), call.if_match);
    return { data: undefined };
  },
  'recycled_near_misses.list': (call) => rules.listNearMisses(contextOf(call), call.query, true),
  'recycled_near_misses.show': (call) =>
    rules.showNearMiss(contextOf(call), { ...targetOf(call), recycled: true }),
  'recycled_near_misses.restore': (call) =>
    rules.restoreNearMiss(contextOf(call), targetOf(call), call.if_match),
};
