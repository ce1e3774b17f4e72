/** Files a report from the box: makes its draft and opens it in the form, with photos and name. One more press saves it. */
import type { BoxReport } from '../../../contract/phone/box.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { makeBoxDraft, readBoxPhoto } from '../../data/box/box-draft.ts';
import { photosOfDraft } from '../../data/near-misses/drafts.ts';
import { localInput } from '../../near-miss-form/answers.ts';
import { rolesHere } from '../../near-miss-form/roles-here.ts';
import { navigate, stillHere } from '../../router.ts';
import { app } from '../../state/app.svelte.ts';
import { handOver } from '../../state/box/handed.ts';
import { words } from '../../words/company-words.ts';

/** Returns false if a photo cannot be read; then nothing was done. */
export const fileReport = async (
  report: BoxReport,
  definitions: readonly CustomFieldDefinition[],
): Promise<boolean> => {
  const { scope, deps } = app;
  if (scope === null) return false;
  const here = stillHere();
  const files: File[] = [];
  // A draft that was left before has its photos already.
  const before = await photosOfDraft(deps, report.id);
  if (before.length < report.photos.length)
    for (const at of report.photos.keys()) {
      const file = await readBoxPhoto(deps, report, at);
      if (file === null) return false;
      files.push(file);
    }
  const { when } = rolesHere(definitions);
  await makeBoxDraft(deps, report, {
    owner: scope,
    definitions,
    when: when === undefined ? null : { field: when, value: localInput(report.received_at) },
    told_by: words.box.told_by,
  });
  if (!here()) return true;
  handOver({ draft: report.id, files, name: report.name });
  await navigate('/new/:draft', { params: { draft: report.id } });
  return true;
};
