/**
 * Makes a draft from a report of the box. The draft has the report's id, and so has the near miss that it becomes: filing the same
 * report twice continues one draft, and a saved one is recognised.
 */
import type { BoxReport } from '../../../contract/phone/box.ts';
import { CHUNK_MAX } from '../../../contract/host.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import { SOMEBODY_ELSE, UNNAMED } from '../../../contract/text/who-saw.ts';
import type { Deps, NearMissFields } from '../db/db.ts';
import { htmlOf } from '../model/text.ts';
import { whoSawFields } from '../model/who-saw.ts';
import { type DraftOwner, getDraft, newDraft, reviveDraft } from '../near-misses/drafts.ts';

export interface BoxDraft {
  readonly owner: DraftOwner;
  readonly definitions: readonly CustomFieldDefinition[];
  /** The field of the time of the event, and the time in its form. */
  readonly when: { readonly field: CustomFieldDefinition; readonly value: string } | null;
  /** A line with the name, for forms without a field for it. */
  readonly told_by: (name: string) => string;
}

const fieldsOf = (
  { text, name, code }: BoxReport,
  { definitions, when, told_by }: BoxDraft,
): Partial<NearMissFields> => {
  const saw = whoSawFields(definitions);
  const line = saw === null && name !== '' ? told_by(name) : '';
  return {
    description: htmlOf([text, line].filter(Boolean).join('\n\n')),
    custom_fields: {
      ...(when === null ? {} : { [customKey(when.field)]: when.value }),
      // A name is given to the open form, which stores it only when the report is saved (decisions §4.12).
      ...(saw === null
        ? {}
        : {
            [customKey(saw.code)]: code,
            [customKey(saw.who)]: name === '' ? UNNAMED : SOMEBODY_ELSE,
          }),
    },
  };
};

/** Writes the draft, unless this project has it already. */
export const makeBoxDraft = async (
  deps: Deps,
  report: BoxReport,
  made: BoxDraft,
): Promise<void> => {
  const { account, project_id } = made.owner;
  const { db } = deps;
  await db.transaction('rw', db.drafts, db.tombstones, async () => {
    const there = await getDraft(deps, report.id);
    const continues =
      there?.account === account &&
      there.project_id === project_id &&
      there.thrown_at === undefined;
    if (continues) return;
    const draft = newDraft(deps, made.owner, fieldsOf(report, made));
    await reviveDraft(deps, { ...draft, id: report.id });
  });
};

/** Reads a photo of a report from the host. Null if the host has it no more. */
export const readBoxPhoto = async (
  { host }: Pick<Deps, 'host'>,
  { id: report, photos }: Pick<BoxReport, 'id' | 'photos'>,
  photo: number,
): Promise<File | null> => {
  const facts = photos[photo];
  if (facts === undefined) return null;
  const parts: Blob[] = [];
  for (let offset = 0; offset < facts.size; offset += CHUNK_MAX) {
    const read = await host.call('box.read', { report, photo, offset, length: CHUNK_MAX });
    if (!read.ok) return null;
    parts.push(new Blob([read.value.bytes]));
  }
  return new File(parts, facts.name, { type: facts.content_type });
};
