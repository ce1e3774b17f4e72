/**
 * Pure: a record whose delete is parked (refused or quarantined) is still shown and says so; a record whose delete is pending
 * is hidden (outbox promise 3: what is refused for good is shown, never dropped).
 */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import type {
  OperationState,
  HookRow,
  InsuranceRow,
  OutboxOperation,
  TriggerRow,
} from '../../../src/renderer/data/db/db.ts';
import { showHooks } from '../../../src/renderer/data/company/webhook-rows.ts';
import { showInsurances } from '../../../src/renderer/data/company/insurance-rows.ts';
import { showMembers } from '../../../src/renderer/data/company/membership-rows.ts';
import {
  canGo,
  parkedAlone,
  parkedTogether,
} from '../../../src/renderer/screens/company/members/view.ts';

const forbidden: Problem = { kind: 'refused', status: 403, messages: ['no'], fields: {} };
const common = { key: 'lane', company_id: 1, project_id: 1, about: '' };
const operation = (
  kind: string,
  given: object,
  state: OperationState = 'parked',
): OutboxOperation => ({
  id: `operation of ${kind}`,
  seq: 1,
  account: 'a',
  kind,
  version: 1,
  lane: 'lane',
  payload: { ...common, ...given },
  created_at: 0,
  journaled: 1,
  state,
  attempts: 1,
  tries: null,
  consecutive_failures: 0,
  next_try_at: null,
  last_problem: state === 'parked' ? forbidden : null,
  checkpoint: {},
});
const place = { account: 'a', project_id: 1 };

describe('a refused delete is shown', () => {
  it('of an insurance', () => {
    const row: InsuranceRow = {
      ...place,
      key: 'k',
      company_id: 1,
      vendor_id: 3,
      server_id: 7,
      seen_at: 0,
      server: { id: 7, insurance_provider: 'Zurich' } as InsuranceRow['server'],
    };
    const payload = { record_key: 'k', server_id: 7, vendor_id: 3 };
    const [shown] = showInsurances([row], [operation('insurance.delete', payload)]);
    expect(shown?.undeleted).toMatchObject({ kind: 'insurance.delete', problem: forbidden });
    expect(showInsurances([row], [operation('insurance.delete', payload, 'waiting')])).toEqual([]);
  });

  it('of a webhook and of one of its triggers', () => {
    const row: HookRow = {
      ...place,
      key: 'k',
      server_id: 7,
      scope: 'project',
      namespace: 'core',
      seen_at: 0,
      api_version: 'v1',
      destination_url: 'https://a.example',
      header_names: [],
      failing_since: null,
      disabled_at: null,
      created_at: '',
      secret_unseen: false,
    };
    const trigger: TriggerRow = {
      ...place,
      key: 't',
      hook_key: 'k',
      server_id: 9,
      seen_at: 0,
      resource_name: 'Incidents',
      event_type: 'create',
    };
    const whose = { scope: 'project', namespace: 'core' };
    const payload = { record_key: 'k', server_id: 7, place: whose };
    const heard = { resource_name: 'Incidents', event_type: 'create' };
    const off = { ...payload, trigger_key: 't', trigger_id: 9, trigger: heard };
    const show = (one: OutboxOperation) => showHooks([row], [trigger], [one]);
    expect(show(operation('hook.delete', payload))[0]?.undeleted?.problem).toEqual(forbidden);
    expect(show(operation('hook.delete', payload, 'sending'))).toEqual([]);
    const [kept] = show(operation('trigger.delete', off));
    expect(kept?.undeleted).toBeNull();
    expect(kept?.triggers).toMatchObject([{ key: 't', waiting: { problem: forbidden } }]);
    expect(show(operation('trigger.delete', off, 'waiting'))[0]?.triggers).toEqual([]);
  });

  it('of members, one and many: still in, chosen for no second removal', () => {
    const rows = [1, 2, 3].map((party_id) => ({
      ...place,
      party_id,
      server_id: party_id,
      seen_at: 0,
    }));
    const members = showMembers(rows, [
      operation('membership.bulk_remove', { party_ids: [1, 2] }),
      operation('membership.delete', { party_id: 3, server_id: 3 }),
    ]);
    expect(members.map(({ standing }) => standing)).toEqual(['in', 'in', 'in']);
    expect(parkedTogether(members)).toMatchObject([
      { people: 2, operation: { problem: forbidden } },
    ]);
    expect(members.map((one) => parkedAlone(one)?.kind)).toEqual([
      undefined,
      undefined,
      'membership.delete',
    ]);
    const row = (at: number) => {
      const member = members[at];
      if (!member) throw new Error('no member');
      return { id: at, name: '', reference_user: true, listed: true, member };
    };
    expect([0, 1, 2].map((at) => canGo(row(at)))).toEqual([false, false, false]);
    const going = showMembers(rows, [
      operation('membership.delete', { party_id: 3, server_id: 3 }, 'waiting'),
    ]);
    expect(going[2]?.standing).toBe('going');
  });
});
