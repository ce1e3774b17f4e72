/** A file opened with Spotter can be read in parts with the key of its request, and with no other key. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type WindowAsk, windowAsk } from '../../src/contract/asks.ts';
import { createOpenedFile } from '../../src/host/window/opened-file.ts';
import { tempDir } from '../support/service.ts';

const dir = tempDir('opened');
afterAll(() => dir.remove());

const world = () => {
  const asked: WindowAsk[] = [];
  const opened = createOpenedFile((ask) => asked.push(windowAsk.parse(ask)));
  const offer = (path: string): string => {
    opened.offer(path);
    const ask = asked.at(-1);
    return ask?.ask === 'import' ? ask.key : '';
  };
  return { asked, opened, offer };
};

it('the window learns a name and no path, and reads the file in parts until none is left', async () => {
  const path = join(dir.path, 'spotter-everything ü.zip');
  writeFileSync(
    path,
    Uint8Array.from({ length: 10 }, (_, at) => at),
  );
  const { asked, opened, offer } = world();
  const key = offer(path);
  expect(asked).toEqual([{ ask: 'import', key, name: 'spotter-everything ü.zip' }]);
  const part = async (offset: number) => {
    const read = await opened.read(key, offset, 4);
    expect(read).toMatchObject({ ok: true, value: { output: { size: 10 } } });
    return read.ok ? [...read.value.bytes] : [];
  };
  expect([await part(0), await part(4), await part(8), await part(10), await part(99)]).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9],
    [],
    [],
  ]);
});

it('no other key reads anything; a folder and a file that is gone are refused with a sentence', async () => {
  const path = join(dir.path, 'first.zip');
  writeFileSync(path, 'first');
  const { opened, offer } = world();
  const refused = { ok: false, problem: { kind: 'bad_input' } };
  const first = offer(path);
  const folder = offer(dir.path);
  expect(await opened.read(first, 0, 4)).toMatchObject(refused);
  expect(await opened.read(folder, 0, 4)).toMatchObject(refused);
  const again = offer(path);
  rmSync(path);
  expect(await opened.read(again, 0, 4)).toMatchObject(refused);
});
