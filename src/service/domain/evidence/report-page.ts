/**
 * [ours] The page of an evidence pack (decisions §19.3): one file without script, which names no address but those of the photos
 * beside it. Everything that people wrote is escaped.
 */
import type { Language } from '../../../contract/languages.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { lookupFields, shownName } from '../../../contract/rest/near-miss-fields.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import { packWords } from './pack-words.ts';
import type { PackHistory, PackPhoto, PackReport } from './report.ts';

const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'h1{font-size:1.6rem;margin-bottom:0}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid GrayText}' +
  'dl{display:grid;grid-template-columns:minmax(8rem,14rem) minmax(0,1fr);gap:.4rem 1rem}' +
  'dt{font-weight:600}dd{margin:0;white-space:pre-wrap}' +
  'figure{margin:0 0 1.5rem}figure img{max-width:100%;max-height:40rem}figcaption,.small{font-size:.85rem}' +
  'ol{padding-left:1.2rem}li{margin-bottom:.8rem}li ul{margin:.2rem 0;padding-left:1rem}' +
  '@media(max-width:30rem){dl{grid-template-columns:minmax(0,1fr)}dd{margin-bottom:.6rem}}' +
  '@media print{body{margin:0;max-width:none}figure,li{break-inside:avoid}}';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);

interface Page {
  readonly language: Language;
  readonly salt: string;
  readonly made_at: string;
  readonly with_names: boolean;
  readonly report: PackReport;
  readonly history: PackHistory;
  readonly definitions: readonly CustomFieldDefinition[];
}

type Words = (typeof packWords)['en'];

/** `2026-11-27T14:05:00.000Z` as `2026-11-27 14:05 UTC`. */
const timeOf = (wire: string): string => `${wire.slice(0, 16).replace('T', ' ')} UTC`;

type Person = { readonly id: number; readonly name?: string | null };

const personIn = (t: Words, { id, name }: Person): string => name || t.person(id);

const factList = ({ report }: Page, t: Words): string => {
  const lookups = lookupFields.map(shownName).map((name): [string, string] => {
    const one: Person | null = report[name];
    return [t.fields[name] ?? name, one === null ? '' : personIn(t, one)];
  });
  const all: [string, string][] = [
    [t.fields['description'] ?? '', report.description],
    ...Object.entries(report.texts).map(([name, text]): [string, string] => [
      t.fields[name] ?? name,
      text,
    ]),
    ...report.custom_fields.map(({ label, value }): [string, string] => [label, value]),
    ...lookups,
    [t.fields['reported_by'] ?? '', personIn(t, report.reported_by)],
    [t.fields['created_at'] ?? '', timeOf(report.created_at)],
    [t.fields['updated_at'] ?? '', timeOf(report.updated_at)],
    [t.fields['company'] ?? '', report.company.name],
    [t.fields['project'] ?? '', report.project.name],
    [t.fields['incident'] ?? '', report.incident.title],
  ];
  const rows = all
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${escaped(name)}</dt><dd dir="auto">${escaped(value)}</dd>`);
  return `<dl>${rows.join('')}</dl>`;
};

const photoOf = (t: Words, photo: PackPhoto, index: number): string => {
  const name = `${t.fields['attachments'] ?? ''} ${index + 1}`;
  if (photo.file === null) return `<p>${escaped(`${name}: ${t.photo_missing}`)}</p>`;
  const picture = photo.content_type.startsWith('image/')
    ? `<img src="${photo.file}" alt="${escaped(name)}">`
    : '';
  const text = [name, photo.filename, photo.file].filter((one) => one !== null).join(' · ');
  return `<figure>${picture}<figcaption><a href="${photo.file}">${escaped(text)}</a></figcaption></figure>`;
};

const historyLine = (
  { definitions }: Page,
  t: Words,
  { at, user, action, changes, redacted, redacted_on }: PackHistory[number],
): string => {
  const labels = new Map(definitions.map((one) => [customKey(one), one.label]));
  const shown = (value: string | number | null): string =>
    value === null ? t.empty : typeof value === 'number' ? `#${value}` : value;
  const lines = changes.map(({ field, from, to }) => {
    const name = labels.get(field) ?? t.fields[field.replace(/_id$/, '')] ?? field;
    return `<li dir="auto">${escaped(`${name}: ${shown(from)} → ${shown(to)}`)}</li>`;
  });
  const gone = redacted
    ? `<li>${escaped(t.redacted_on(redacted_on?.slice(0, 10) ?? null))}</li>`
    : '';
  const head = `${timeOf(at)} · ${t.actions[action] ?? action} · ${personIn(t, user)}`;
  const list = lines.length > 0 || gone !== '' ? `<ul>${lines.join('')}${gone}</ul>` : '';
  return `<li>${escaped(head)}${list}</li>`;
};

export const reportPage = (page: Page): string => {
  const t = packWords[page.language];
  const { report, history, made_at, with_names } = page;
  const title = escaped(t.title(report.number));
  const photos = report.photos.map((photo, index) => photoOf(t, photo, index)).join('\n');
  const bin =
    report.deleted_at === null ? '' : `<p>${escaped(t.recycled(timeOf(report.deleted_at)))}</p>`;
  return [
    `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><meta name="salt" content="${page.salt}">`,
    `<title>${title}</title><style>${STYLE}</style></head><body>`,
    `<h1>${title}</h1><p class="small">${escaped(t.made(timeOf(made_at)))} ${escaped(with_names ? t.as_written : t.masked)} ${escaped(t.verify)}</p>${bin}`,
    `<h2>${escaped(t.facts)}</h2>${factList(page, t)}`,
    ...(photos === '' ? [] : [`<h2>${escaped(t.photos)}</h2>${photos}`]),
    `<h2>${escaped(t.history)}</h2><ol>${history.map((one) => historyLine(page, t, one)).join('\n')}</ol>`,
    '</body></html>\n',
  ].join('\n');
};
