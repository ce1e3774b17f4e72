/** [ours] The catalog of a project (decisions §4.2). */
import { showCatalog } from '../domain/catalog.ts';
import type { HandlersOf } from './handler.ts';

export const catalogHandlers: HandlersOf<'catalog.show'> = {
  'catalog.show': ({ db, company_id, params, user }) =>
    showCatalog(db, { company_id, project_id: params.project_id, user_id: user.id }),
};
