/** [ours] Erases the name of a person from the company (decisions §21). */
import type { erasureEndpoints } from '../../../contract/rest/retention/erasures.ts';
import {
  decideErasure,
  listErasures,
  previewErasure,
  showErasure,
} from '../../domain/erasure/erasures.ts';
import type { SearchParts } from '../../domain/erasure/search.ts';
import { contentTag } from '../../domain/etag.ts';
import { actorOf } from '../context.ts';
import type { Call, HandlersOf } from '../handler.ts';

export const partsOf = ({
  app,
  company_id,
  user,
}: Pick<Call<keyof typeof erasureEndpoints>, 'app' | 'company_id' | 'user'>): SearchParts => ({
  db: app.store.long,
  company_id,
  user_id: user.id,
  secrets: app.webhooks.secrets,
});

export const erasureHandlers: HandlersOf<keyof typeof erasureEndpoints> = {
  'erasures.preview': {
    prepare: async (call) => {
      const data = await previewErasure(partsOf(call), call.body.erasure, call.query);
      return () => Promise.resolve({ data });
    },
  },
  'erasures.create': {
    prepare: async (call) => {
      const store = await decideErasure(partsOf(call), call.body.erasure);
      return async (inside) => {
        const actor = { ...actorOf(inside), user_id: inside.user.id };
        return { data: await store(inside.db, actor) };
      };
    },
  },
  'erasures.list': ({ db, company_id, query }) => listErasures(db, company_id, query),
  'erasures.show': async ({ db, company_id, params }) => {
    const data = await showErasure(db, company_id, params.id);
    return { data, etag: contentTag(data) };
  },
};
