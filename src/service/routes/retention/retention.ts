/** [ours] How long reports are kept, and legal holds (decisions §20). */
import type { legalHoldEndpoints } from '../../../contract/rest/retention/legal-holds.ts';
import type { retentionEndpoints } from '../../../contract/rest/retention/retention.ts';
import { releaseHold, setHold, showHold } from '../../domain/retention/legal-holds.ts';
import {
  previewRetention,
  showRetention,
  updateRetention,
} from '../../domain/retention/settings.ts';
import { actorOf } from '../context.ts';
import type { Call, HandlersOf } from '../handler.ts';

const targetOf = ({ company_id, user, params }: Call<keyof typeof legalHoldEndpoints>) => ({
  company_id,
  project_id: params.project_id,
  near_miss_id: params.id,
  user_id: user.id,
});

export const retentionHandlers: HandlersOf<
  keyof typeof retentionEndpoints | keyof typeof legalHoldEndpoints
> = {
  'retention.show': ({ db, company_id }) => showRetention(db, company_id),
  'retention.update': (call) =>
    updateRetention(call.db, actorOf(call), call.body.retention, call.if_match),
  'retention.preview': async (call) => {
    const caller = { company_id: call.company_id, user_id: call.user.id, now: call.now };
    return { data: await previewRetention(call.app.store.long, caller, call.query) };
  },
  'legal_hold.show': (call) => showHold(call.db, targetOf(call)),
  'legal_hold.put': (call) => setHold(call.db, actorOf(call), targetOf(call), call.body.legal_hold),
  'legal_hold.delete': async (call) => {
    await releaseHold(call.db, actorOf(call), targetOf(call), call.if_match);
    return { data: undefined };
  },
};
