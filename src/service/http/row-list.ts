/** Serializes a page of rows: uses cached row texts and reads and renders the others, one part at a time (failures S28). */
import { setImmediate as others } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { PART, type FoundRow, type RowPage } from '../domain/page.ts';
import { rowText, type RowText, type RowTexts } from './row-texts.ts';

/** Yields the rows of a page in order, one part at a time. @param reply converts a row to its response form */
async function* rowsOf(
  { found, names_version, read, beside }: RowPage,
  texts: RowTexts,
  reply: (view: object) => unknown,
): AsyncGenerator<readonly RowText[]> {
  const empty = `,"${beside.field}":[]}`;

  const readRows = async (rows: readonly FoundRow[]): Promise<ReadonlyMap<number, RowText>> => {
    const now = new Map<number, RowText>();
    if (rows.length === 0) return now;
    for (const row of await read(rows.map(([id]) => id))) {
      const text = rowText(JSON.stringify(reply(row.view)));
      texts.keep(row, text);
      now.set(row.id, text);
    }
    return now;
  };

  /** Fills the last field of a row. If the surface drops that field, the row is already complete. */
  const withBeside = (text: RowText, more: readonly unknown[] | undefined): RowText => {
    const whole = text.bytes.toString('utf8');
    return more === undefined || !whole.endsWith(empty)
      ? text
      : rowText(`${whole.slice(0, -'[]}'.length)}${JSON.stringify(more)}}`);
  };

  for (let at = 0; at < found.length; at += PART) {
    if (at > 0) await others();
    const part = found.slice(at, at + PART);
    const kept = part.map((row) => texts.find(row, names_version));
    const now = await readRows(part.filter((_row, index) => !kept[index]));
    const having = part.filter((row) => row[3] > 0).map(([id]) => id);
    const shown = having.length > 0 ? await beside.of(having) : null;
    yield part.flatMap((row, index) => {
      const text = kept[index] ?? now.get(row[0]);
      return text ? [withBeside(text, shown?.get(row[0]))] : [];
    });
  }
}

const [OPEN, BETWEEN, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

const between = (rows: readonly RowText[]): Buffer[] =>
  rows.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [BETWEEN, bytes]));

async function* written(begun: readonly RowText[], rest: AsyncGenerator<readonly RowText[]>) {
  yield Buffer.concat([OPEN, ...between(begun)]);
  for await (const rows of rest)
    if (rows.length > 0) yield Buffer.concat([BETWEEN, ...between(rows)]);
  yield CLOSE;
}

/** A serialized page: either complete, with its row tags, or a stream if it is too long. */
export type RowList =
  | { readonly tags: readonly string[]; readonly bytes: () => Buffer }
  | { readonly tags: null; readonly stream: Readable };

/** Complete if it has at most `max` bytes. */
export const rowList = async (
  page: RowPage,
  texts: RowTexts,
  reply: (view: object) => unknown,
  max: number,
): Promise<RowList> => {
  const parts = rowsOf(page, texts, reply);
  const begun: RowText[] = [];
  let length = 0;
  while (length <= max) {
    const next = await parts.next();
    if (next.done === true)
      return {
        tags: begun.map(({ tag }) => tag),
        bytes: () => Buffer.concat([OPEN, ...between(begun), CLOSE]),
      };
    for (const row of next.value) {
      begun.push(row);
      length += row.bytes.length;
    }
  }
  return { tags: null, stream: Readable.from(written(begun, parts), { highWaterMark: 1 }) };
};
