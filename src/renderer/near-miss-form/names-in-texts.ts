/** Pure: finds names of the company's people in the texts of a report of somebody who stays unnamed (decisions §4.12). */
import type { Catalog, CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { eachField, textFields } from '../../contract/rest/near-miss-fields.ts';
import { customKey } from '../../contract/text/field-by-label.ts';
import { knownNames, namesFound, type KnownNames } from '../../contract/text/without-names.ts';
import { answerFields } from '../data/model/answer.ts';
import { followUpFields } from '../data/model/follow-up.ts';
import { pinField } from '../data/model/pin.ts';
import { whoSawFields } from '../data/model/who-saw.ts';
import type { Answers } from './answers.ts';

/** Every part of a name counts, because a text rather says "Tom" than "Tom Brennan". */
export const namesOfPeople = (catalog: Pick<Catalog, 'people'> | null): KnownNames =>
  knownNames((catalog?.people ?? []).map(({ name }) => name));

/** @param name as `namesIn` found it */
export const oneName = (name: string): KnownNames =>
  /[ @]/.test(name) ? { whole: [name], parts: [] } : { whole: [], parts: [name] };

type Texts = Pick<Answers, 'what' | 'texts' | 'custom'>;

/** Changes each free text. Fields for persons, and the formatted description, stay as they are. */
export const mapTexts = (
  { what, rich, texts, custom }: Answers,
  definitions: readonly CustomFieldDefinition[],
  map: (text: string) => string,
): Texts => {
  const saw = whoSawFields(definitions);
  const apart = [
    saw?.who,
    saw?.code,
    answerFields(definitions)?.seen,
    followUpFields(definitions)?.who,
    pinField(definitions),
  ];
  const free = definitions.filter(
    (one) => ['string', 'text'].includes(one.data_type) && !apart.includes(one),
  );
  const mapped = free.flatMap((one) => {
    const text = custom[customKey(one)];
    return typeof text === 'string' ? [[customKey(one), map(text)] as const] : [];
  });
  return {
    what: rich === null ? map(what) : what,
    texts: eachField(textFields, (name) => map(texts[name])),
    custom: Object.fromEntries(mapped),
  };
};

/** The names in the texts, each once. */
export const namesIn = (
  answers: Answers,
  definitions: readonly CustomFieldDefinition[],
  known: KnownNames,
): readonly string[] => {
  const found = new Set<string>();
  const look = (text: string): string => {
    for (const name of namesFound(text, known)) found.add(name);
    return text;
  };
  mapTexts(answers, definitions, look);
  if (answers.rich !== null) look(answers.what);
  return [...found];
};
