/** The roles of custom fields in the current project, with its settings applied. Reads runes. */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { photoPlaceKey } from '../../contract/settings.ts';
import { app } from '../state/app.svelte.ts';
import { rolesOf, type Roles } from './roles.ts';

export const rolesHere = (definitions: readonly CustomFieldDefinition[]): Roles => {
  const { scope } = app;
  const key = scope === null ? '' : photoPlaceKey(scope.account, scope.project_id);
  return rolesOf(definitions, app.session.settings.form_fields[key]);
};
