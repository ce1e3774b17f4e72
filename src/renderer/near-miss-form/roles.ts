/**
 * Pure: assigns custom fields to parts of the form ("How bad", "Where", "When", "Immediate action"), by label in any
 * language or as chosen in the settings. A part without a field is left out.
 */
import { kindPart, severityPart, stoppedPart, whenPart } from '../../contract/field-labels.ts';
import { bareLabel, fieldByLabel, fieldOfPart } from '../../contract/text/field-by-label.ts';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { FormFields, FormPart } from '../../contract/settings.ts';
import { answerFields } from '../data/model/answer.ts';
import { pinField } from '../data/model/pin.ts';
import { captionsField } from '../data/model/photo-notes.ts';
import { whoSawFields, type WhoSawFields } from '../data/model/who-saw.ts';
import { holdsFive } from './rating.ts';

export interface Roles {
  readonly severity: CustomFieldDefinition | undefined;
  /** The two axes of the 5 x 5, if the catalog has a field for each. */
  readonly matrix:
    | { readonly severity: CustomFieldDefinition; readonly likelihood: CustomFieldDefinition }
    | undefined;
  readonly where: CustomFieldDefinition | undefined;
  readonly when: CustomFieldDefinition | undefined;
  /** The immediate action; never folded. */
  readonly action: CustomFieldDefinition | undefined;
  /** Near miss, unsafe condition or good catch (decisions §4.11). */
  readonly kind: CustomFieldDefinition | undefined;
  /** What stopped it getting worse; never folded. */
  readonly stopped: CustomFieldDefinition | undefined;
  /** The place on a plan (decisions §17.4); shown beside the place. */
  readonly pin: CustomFieldDefinition | undefined;
  /** Who saw it, and the code of a report of somebody who stays unnamed; null if the form does not ask. */
  readonly saw: WhoSawFields | null;
  /** Captions of photos; edited only in the photos' tiles. */
  readonly captions: CustomFieldDefinition | undefined;
  /** All other required fields; never folded. */
  readonly required: readonly CustomFieldDefinition[];
  readonly rest: readonly CustomFieldDefinition[];
  /** Fields of an unknown type: left unchanged, and reported as such. */
  readonly unknown: readonly CustomFieldDefinition[];
}

type DataType = CustomFieldDefinition['data_type'];

/** Common labels in every language, normalized by `bareLabel`, most likely first. */
const parts = {
  severity: severityPart,
  where: {
    types: ['string', 'text'],
    labels: [
      'location',
      'exact location',
      'where',
      'place',
      'area',
      'lugar',
      'lugar exacto',
      'ubicacion',
      'donde',
      'localizacion',
      'zona',
      'miejsce',
      'dokładne miejsce',
      'gdzie',
    ],
  },
  when: whenPart,
  action: {
    types: ['text', 'string'],
    labels: [
      'immediate action',
      'immediate actions',
      'immediate action taken',
      'action taken',
      'accion inmediata',
      'acciones inmediatas',
      'medida inmediata',
      'medidas inmediatas',
      'działanie natychmiastowe',
      'działania natychmiastowe',
      'pierwsze działanie',
    ],
  },
} as const satisfies Record<
  FormPart,
  { readonly types: readonly DataType[]; readonly labels: readonly string[] }
>;

/** Fields with a suitable type, whatever their label. */
export const candidatesOf = (
  definitions: readonly CustomFieldDefinition[],
  part: FormPart,
): readonly CustomFieldDefinition[] => {
  const types: readonly DataType[] = parts[part].types;
  return definitions.filter(({ data_type }) => types.includes(data_type));
};

const byLabel = (definitions: readonly CustomFieldDefinition[], part: FormPart) =>
  fieldByLabel(candidatesOf(definitions, part), parts[part].labels);

/** @param chosen as set in the settings; a field that no longer exists is ignored */
export const rolesOf = (
  definitions: readonly CustomFieldDefinition[],
  chosen: FormFields = {},
): Roles => {
  const five = (labels: readonly string[]) =>
    definitions.find((one) => labels.includes(bareLabel(one.label)) && holdsFive(one));
  const [harm, likelihood] = [
    five(['severity', 'gravedad', 'severidad', 'skutki', 'ciezkosc']),
    five(['likelihood', 'probabilidad', 'prawdopodobienstwo']),
  ];
  const matrix = harm && likelihood ? { severity: harm, likelihood } : undefined;
  // The matrix field labelled "Severity" is not the severity itself.
  const free = definitions.filter((one) => one !== matrix?.severity && one !== matrix?.likelihood);
  const play = (part: FormPart) =>
    chosen[part] === null
      ? undefined
      : (candidatesOf(free, part).find(({ id }) => id === chosen[part]) ?? byLabel(free, part));
  const [severity, where, when, action] = [
    play('severity'),
    play('where'),
    play('when'),
    play('action'),
  ];
  const captions = captionsField(free);
  const answer = answerFields(free);
  const kind = fieldOfPart(
    free.filter((one) => one !== severity),
    kindPart,
  );
  const stopped = fieldOfPart(free, stoppedPart);
  const pin = pinField(free.filter((one) => one !== where));
  const saw = whoSawFields(free);
  const played = [
    severity,
    where,
    when,
    action,
    kind,
    stopped,
    pin,
    captions,
    answer?.seen,
    answer?.what,
    saw?.who,
    saw?.code,
  ];
  const unknown = free.filter(({ data_type }) => data_type === 'unknown');
  const others = free.filter((one) => !played.includes(one) && !unknown.includes(one));
  return {
    severity,
    matrix,
    where,
    when,
    action,
    kind,
    stopped,
    pin,
    saw,
    captions,
    required: others.filter((definition) => definition.required),
    rest: others.filter((definition) => !definition.required),
    unknown,
  };
};
