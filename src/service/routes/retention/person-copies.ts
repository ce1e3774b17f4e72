/** [ours] A copy of what the company keeps about a person (decisions §22). */
import type { personCopyEndpoints } from '../../../contract/rest/retention/person-copies.ts';
import { recordAct } from '../../domain/evidence/admin-acts.ts';
import { makePersonCopy } from '../../domain/person-copy/person-copy.ts';
import { actorOf } from '../context.ts';
import type { HandlersOf } from '../handler.ts';
import { partsOf } from './erasures.ts';

export const personCopyHandlers: HandlersOf<keyof typeof personCopyEndpoints> = {
  'person_copies.create': {
    prepare: async (call) => {
      const { person_copy } = call.body;
      const data = await makePersonCopy(partsOf(call), person_copy, call.app.now());
      const about = data.records.find(({ resource }) => resource === 'users')?.resource_id;
      return async (inside) => {
        await recordAct(inside.db, actorOf(inside), {
          act: 'person_copied',
          ...(about === undefined || about === null ? {} : { about_user_id: about }),
          details: { records: data.records.length, mentions: data.mentions.length },
        });
        return { data };
      };
    },
  },
};
