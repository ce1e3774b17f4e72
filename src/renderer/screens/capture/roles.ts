/**
 * Pure: which custom field of a project plays which part of the form ("How bad", "Where", "When", "Immediate action"): told by
 * its label, in either language, or chosen in the settings. Without such a field the form leaves the part out.
 */
import { bareLabel, fieldByLabel } from '../../data/field-by-label.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { FormFields, FormPart } from '../../../contract/settings.ts';
import { captionsField } from '../../data/photo-notes.ts';
import { holdsFive } from './rating.ts';

export interface Roles {
  readonly severity: CustomFieldDefinition | undefined;
  /** The two sides of the 5 x 5, where the catalog has a field for each. */
  readonly matrix:
    | { readonly severity: CustomFieldDefinition; readonly likelihood: CustomFieldDefinition }
    | undefined;
  readonly where: CustomFieldDefinition | undefined;
  readonly when: CustomFieldDefinition | undefined;
  /** What was done at once: never folded away. */
  readonly action: CustomFieldDefinition | undefined;
  /** What is said of photos: in their tiles, and nowhere else. */
  readonly captions: CustomFieldDefinition | undefined;
  /** Everything else that must be filled in: never folded away. */
  readonly required: readonly CustomFieldDefinition[];
  readonly rest: readonly CustomFieldDefinition[];
  /** Of a type this Spotter does not know: left alone, and said so. */
  readonly unknown: readonly CustomFieldDefinition[];
}

type DataType = CustomFieldDefinition['data_type'];

/** What firms call a part, in English and Spanish, as `bareLabel` writes it; the likeliest first. */
const parts = {
  severity: {
    types: ['select'],
    labels: [
      'potential severity',
      'severity potential',
      'how bad could it have been',
      'severity',
      'gravedad potencial',
      'severidad potencial',
      'gravedad',
      'severidad',
    ],
  },
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
    ],
  },
  when: {
    types: ['datetime'],
    labels: [
      'event time',
      'time of event',
      'date and time',
      'event date',
      'when',
      'occurred at',
      'hora del suceso',
      'fecha y hora',
      'fecha del suceso',
      'cuando',
      'fecha del evento',
    ],
  },
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
    ],
  },
} as const satisfies Record<
  FormPart,
  { readonly types: readonly DataType[]; readonly labels: readonly string[] }
>;

export const customKey = (definition: Pick<CustomFieldDefinition, 'id'>): string =>
  `custom_field_${definition.id}`;

/** The fields that may play a part, whatever they are called. */
export const candidatesOf = (
  definitions: readonly CustomFieldDefinition[],
  part: FormPart,
): readonly CustomFieldDefinition[] => {
  const types: readonly DataType[] = parts[part].types;
  return definitions.filter(({ data_type }) => types.includes(data_type));
};

/** By the likeliest label that a field has. */
const byLabel = (definitions: readonly CustomFieldDefinition[], part: FormPart) =>
  fieldByLabel(candidatesOf(definitions, part), parts[part].labels);

/** @param chosen in the settings; a field that is gone since counts as not chosen */
export const rolesOf = (
  definitions: readonly CustomFieldDefinition[],
  chosen: FormFields = {},
): Roles => {
  const five = (labels: readonly string[]) =>
    definitions.find((one) => labels.includes(bareLabel(one.label)) && holdsFive(one));
  const [harm, likelihood] = [
    five(['severity', 'gravedad', 'severidad']),
    five(['likelihood', 'probabilidad']),
  ];
  const matrix = harm && likelihood ? { severity: harm, likelihood } : undefined;
  // The side of the 5 x 5 that is called "Severity" is not the severity itself.
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
  const played = [severity, where, when, action, captions];
  const unknown = free.filter(({ data_type }) => data_type === 'unknown');
  const others = free.filter((one) => !played.includes(one) && !unknown.includes(one));
  return {
    severity,
    matrix,
    where,
    when,
    action,
    captions,
    required: others.filter((definition) => definition.required),
    rest: others.filter((definition) => !definition.required),
    unknown,
  };
};
