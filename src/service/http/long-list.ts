/** Streams a long list while it is read, part by part, as fast as the client accepts it (failures S28). */
import { setImmediate as others } from 'node:timers/promises';
import { Readable } from 'node:stream';

/** @param reply converts a part to its response form */
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

/** The whole text if it has at most `max` characters, otherwise a stream. */
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
