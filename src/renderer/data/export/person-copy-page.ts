/**
 * The page of a person's copy that people read, without script and without anything from the network. It is built as a document, so no
 * text of the copy can become an element.
 */
import type {
  PersonCopy,
  PersonCopyMention,
  PersonCopyRecord,
} from '../../../contract/rest/retention/person-copies.ts';
import { localMinute } from '../model/local-day.ts';

type Texts = Readonly<Record<string, string>>;

/** The sentences of the page, in the language of the window. */
interface PageWords {
  readonly page: (name: string) => string;
  readonly made: (company: string, at: string) => string;
  readonly notes: readonly string[];
  readonly parts_left_out: (n: number) => string;
  readonly hidden: (n: number) => string;
  readonly when: string;
  readonly number: string;
  readonly what: string;
  readonly where: string;
  readonly file: string;
  readonly mentions: string;
  readonly part: string;
  readonly photos: string;
  readonly not_inside: string;
  readonly own: string;
  readonly named: string;
  /** Headings, by `table.column` that names the person. */
  readonly tables: Texts;
  /** Names of values, by column. */
  readonly columns: Texts;
}

export interface PageHow {
  readonly words: PageWords;
  readonly language: string;
  readonly company: string;
  /** The names of the files of photos, by the photo's id. */
  readonly files: ReadonlyMap<number, string>;
  /** How the window names a place that holds the name. */
  readonly place: (mention: PersonCopyMention) => string;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #bbb;padding:.4rem .6rem;text-align:start;vertical-align:top}
td{overflow-wrap:anywhere;white-space:pre-wrap}td:first-child{white-space:nowrap}h2{margin-top:2rem}`;

const element = (
  page: Document,
  name: string,
  content: string | readonly HTMLElement[],
): HTMLElement => {
  const made = page.createElement(name);
  if (typeof content === 'string') made.textContent = content;
  else made.append(...content);
  return made;
};

const tableOf = (
  page: Document,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): HTMLElement => {
  const cells = (name: string, row: readonly string[]) =>
    element(
      page,
      'tr',
      row.map((text) => element(page, name, text)),
    );
  return element(page, 'table', [
    element(page, 'thead', [cells('th', heads)]),
    element(
      page,
      'tbody',
      rows.map((row) => cells('td', row)),
    ),
  ]);
};

const byTable = (records: readonly PersonCopyRecord[]): Map<string, PersonCopyRecord[]> => {
  const tables = new Map<string, PersonCopyRecord[]>();
  for (const one of records) {
    const key = `${one.resource}.${one.relation}`;
    const same = tables.get(key);
    if (same) same.push(one);
    else tables.set(key, [one]);
  }
  return tables;
};

const linesOf = ({ values }: PersonCopyRecord, { words }: PageHow): string =>
  Object.entries(values)
    .map(([name, value]) => `${words.columns[name] ?? name}: ${String(value)}`)
    .join('\n');

/** @returns a whole HTML document */
export const personCopyPage = (copy: PersonCopy, how: PageHow): string => {
  const { words, files, place } = how;
  const page = document.implementation.createHTMLDocument(words.page(copy.names[0] ?? ''));
  page.documentElement.lang = how.language;
  const utf8 = page.createElement('meta');
  utf8.setAttribute('charset', 'utf-8');
  page.head.prepend(utf8, element(page, 'style', STYLE));
  const add = (name: string, content: string): void =>
    page.body.append(element(page, name, content));
  add('h1', words.page(copy.names[0] ?? ''));
  add('p', words.made(how.company, localMinute(Date.parse(copy.made_at))));
  for (const note of words.notes) add('p', note);
  if (copy.hidden > 0) add('p', words.hidden(copy.hidden));
  if (copy.parts_left_out > 0) add('p', words.parts_left_out(copy.parts_left_out));
  for (const [key, records] of byTable(copy.records)) {
    add('h2', words.tables[key] ?? key);
    page.body.append(
      tableOf(
        page,
        [words.when, words.number, words.what],
        records.map((one) => [
          one.at === null ? '' : localMinute(Date.parse(one.at)),
          one.number ?? '',
          linesOf(one, how),
        ]),
      ),
    );
  }
  if (copy.mentions.length > 0) {
    add('h2', words.mentions);
    page.body.append(
      tableOf(
        page,
        [words.where, words.what],
        copy.mentions.map((one) => [
          one.match === 'part' ? `${place(one)}\n${words.part}` : place(one),
          one.text,
        ]),
      ),
    );
  }
  if (copy.photos.length > 0) {
    add('h2', words.photos);
    page.body.append(
      tableOf(
        page,
        [words.number, words.file, words.what],
        copy.photos.map((one) => [
          one.number,
          files.get(one.attachment_id) ?? words.not_inside,
          one.own ? words.own : words.named,
        ]),
      ),
    );
  }
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
};
