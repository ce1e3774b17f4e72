/**
 * The packaged app does the main job, which detects files and packages missing from the archive. It is packed for Linux by `npm
 * run package` with a fake Electron, unpacked out of reach of any other node_modules, and run in the stand-in.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfTestReport } from '../../src/contract/self-test.ts';
import { unpackApp } from '../support/packed-app.ts';
import { expect, test } from './fixtures.ts';
import {
  asStored,
  connectToServer,
  drained,
  photoFile,
  report,
  storedAt,
  waitingCount,
} from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');
test.skip(process.platform !== 'linux', 'packs for Linux');
test.setTimeout(600_000);

test('A54: what npm run package makes, taken apart far from other node_modules, does the main job and the self-test', async ({
  app,
  server,
  client,
  keyring,
  folder,
}) => {
  const root = await unpackApp(folder);

  const photo = await photoFile(folder, 1);
  const one = { text: 'Loose plank on the stair (packed)', photos: [photo] };
  const { env } = keyring;
  await connectToServer(await app.open({ root, env }), server, 'Harbour Bridge East');
  await server.stop();
  await report(app.window, one);
  await expect.poll(() => waitingCount(app.window)).toBe(1);
  await app.kill();
  const again = await app.open({ root, env });
  await server.start();
  await drained(again);
  expect(await storedAt(client, '(packed)')).toEqual(asStored([one]));
  await app.close();

  // The self-test covers its service, database, HEIC decoder, keychain child and fonts.
  const file = join(folder, 'report.json');
  await app.open({ root, env, cameras: 1, args: ['--self-test', file], windowless: true });
  expect(await app.electron.exited()).toBe(0);
  const { checks } = selfTestReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(checks.filter(({ result }) => result !== 'pass')).toEqual([]);
});
