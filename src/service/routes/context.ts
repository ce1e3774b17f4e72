/** Builds from a call the context of project resources with files, and the actor of an administrative act. */
import type { EndpointName } from '../../contract/rest/index.ts';
import type { Actor } from '../domain/evidence/admin-acts.ts';
import type { FilesContext } from '../domain/context.ts';
import type { Call } from './handler.ts';

type InProject = {
  [N in EndpointName]: Call<N>['params'] extends { readonly project_id: number } ? N : never;
}[EndpointName];

export const filesContext = (call: Call<InProject>): FilesContext => ({
  db: call.db,
  long: call.app.store.long,
  company_id: call.company_id,
  project_id: call.params.project_id,
  user_id: call.user.id,
  user: call.user,
  access: call.access,
  now: call.now,
  mail: call.app.mail.offered,
  base_url: call.base_url,
  uploads: call.app.uploads,
  client: call.client,
});

export const actorOf = ({
  company_id,
  user,
  now,
}: Pick<Call<EndpointName>, 'company_id' | 'user' | 'now'>): Actor => ({
  company_id,
  user_id: user.id,
  now,
});
