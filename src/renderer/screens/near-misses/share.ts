/**
 * Pure: one near miss as plain text for a message or a mail: what happened and what is known of it. Nobody is named who was
 * involved or who reported it: whoever shares a report has not been asked for names.
 */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { NearMissRow } from '../../data/db.ts';
import { textOf } from '../../data/text.ts';
import { words } from '../../words/words.ts';
import { factsOf } from './view.ts';

export interface Shared {
  readonly row: NearMissRow;
  readonly definitions: readonly CustomFieldDefinition[];
  readonly photos: number;
  /** The project, where its name is known. */
  readonly project: string;
}

const headOf = ({ row, project }: Shared): string => {
  const t = words.detail;
  const number = row.full_number ? t.number(row.full_number) : t.no_number;
  return [number, row.names.incident, project].filter(Boolean).join(' · ');
};

export const textToShare = (shared: Shared): string => {
  const { row, definitions, photos } = shared;
  const facts = factsOf(row, definitions).filter(({ part }) => part !== 'person');
  return [
    headOf(shared),
    textOf(row.fields.description),
    [
      ...facts.map(({ name, value }) => `${name}: ${value}`),
      ...(photos === 0 ? [] : [words.list.photos(photos)]),
    ].join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
};

/** A link of more characters is followed by no mail program, nor by the host. */
const LINK_MAX = 1_900;

/** Half a pair of UTF-16 has no bytes; a line ends as mail programs end one (RFC 6068, 5). */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed().replaceAll('\n', '\r\n'));

/** A mail that is begun in the system's own program; a text that is too long for a link ends with a sign that it does. */
export const mailToShare = (shared: Shared): string => {
  const text = [...textToShare(shared)];
  const subject = [...(shared.row.title || headOf(shared))].slice(0, 150).join('');
  const head = `mailto:?subject=${encoded(subject)}&body=`;
  let length = text.length;
  const link = (): string =>
    head + encoded(length < text.length ? `${text.slice(0, length).join('')}…` : text.join(''));
  while (length > 0 && link().length > LINK_MAX) length = Math.floor(length * 0.9);
  return link();
};
