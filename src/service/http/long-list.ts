/** Writes a long list out while it is read, part by part, as fast as the client takes it (failures S28). */
import { setImmediate as others } from 'node:timers/promises';
import { Readable } from 'node:stream';

async function* textOf(
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

/** @param reply what of each part goes out */
export const longList = (
  parts: AsyncIterable<readonly unknown[]>,
  reply: (part: readonly unknown[]) => unknown,
): Readable => Readable.from(textOf(parts, reply), { highWaterMark: 1 });
