/**
 * Pure: one near miss as plain text for a message or a mail. Leaves out the persons involved and the reporter, because they
 * did not agree to be named.
 */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { textOf } from '../../data/model/text.ts';
import { words } from '../../words/words.ts';
import { traitsOf } from '../../near-miss-form/view.ts';

export interface Shared {
  readonly row: NearMissRow;
  readonly definitions: readonly CustomFieldDefinition[];
  readonly photos: number;
  /** The project's name; '' if unknown. */
  readonly project: string;
}

const headOf = ({ row, project }: Shared): string => {
  const t = words.detail;
  const number = row.full_number ? t.number(row.full_number) : t.no_number;
  return [number, row.names.incident, project].filter(Boolean).join(' · ');
};

export const textToShare = (shared: Shared): string => {
  const { row, definitions, photos } = shared;
  const facts = traitsOf(row, definitions).filter(({ part }) => part !== 'person');
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

/** Mail programs and the host reject longer links. In characters. */
const LINK_MAX = 1_900;

/** A lone surrogate cannot be encoded; mailto lines end with CRLF (RFC 6068, 5). */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed().replaceAll('\n', '\r\n'));

/** A `mailto:` link that starts a mail in the system's mail program. A text too long for a link ends with an ellipsis. */
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
