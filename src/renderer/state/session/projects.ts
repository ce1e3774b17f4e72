/** Pure. Selects the projects that a person may choose from. */
import type { Me } from '../../../contract/rest/me.ts';

export type Project = Me['projects'][number];

/**
 * Projects of a company. A retired project is not offered (decisions §11.3) unless it is in use. Its pending records are still
 * accepted, and signing in again must return to it.
 */
export const projectsOf = (
  me: Me | null,
  company_id: number | null,
  in_use: number | null,
): readonly Project[] =>
  (me?.projects ?? []).filter(
    (project) =>
      project.company_id === company_id && (project.active !== false || project.id === in_use),
  );
