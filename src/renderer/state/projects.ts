/** Pure: the projects that a person may choose, of all that their token sees. */
import type { Me } from '../../contract/rest/me.ts';

export type Project = Me['projects'][number];

/**
 * Those of a company. A retired one is offered no more (decisions §11.3), but for the one in use: what waits for it is still
 * taken, and signing in again must lead back to it.
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
