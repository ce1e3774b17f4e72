/** Writes a long list out while it is read, part by part, as fast as the client takes it (failures S28). */
import { setImmediate as others } from 'node:timers/promises';
import { Readable } from 'node:stream';

/** @param reply what of each part goes out */
export async function* longList(
  parts: AsyncIterable<readonly unknown[]>,
  reply: (part: readonly unknown[]) => unknown,
): AsyncGenerator<string> {
  let before = '[';
  for await (const part of parts) {
    const text = JSON.stringify(reply(part)).slice(1, -1);
    if (text === '') continue;
    yield before + text;
    before = ',';
    await others();
  }
  yield before === '[' ? '[]' : ']';
}

async function* after(begun: readonly string[], rest: AsyncGenerator<string>) {
  yield* begun;
  yield* rest;
}

/** The text as a whole where it has at most `max` characters, else as it comes. */
export const beginningOf = async (
  texts: AsyncGenerator<string>,
  max: number,
): Promise<string | Readable> => {
  const begun: string[] = [];
  let length = 0;
  while (length <= max) {
    const next = await texts.next();
    if (next.done === true) return begun.join('');
    begun.push(next.value);
    length += next.value.length;
  }
  return Readable.from(after(begun, texts), { highWaterMark: 1 });
};
