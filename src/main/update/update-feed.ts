/** Connects updates.ts to electron-updater when this program was packaged with a feed (.config/electron-builder.js). */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { PolicyView } from '../../contract/policy.ts';
import type { Host } from '../../host/index.ts';
import type { Facts } from '../self-test/facts.ts';
import { promisify } from 'node:util';
import {
  isForAll,
  isSignedByTeam,
  keepUpdates,
  type UpdateParts,
  type UpdaterSide,
  updateWay,
} from './updates.ts';

/** Runs macOS's codesign, which writes its result to stderr. */
const isSigned = (): Promise<boolean> =>
  promisify(execFile)('/usr/bin/codesign', ['-dv', process.execPath]).then(
    ({ stderr }) => isSignedByTeam(stderr),
    () => false,
  );

/** @returns a function that stops looking for updates */
export const followUpdates = async (
  host: Pick<Host, 'listen'>,
  facts: Facts,
  policy: PolicyView,
  parts: Pick<UpdateParts, 'busy' | 'put_in' | 'log'>,
): Promise<() => void> => {
  const way = updateWay({
    feed:
      policy.updates !== false &&
      app.isPackaged &&
      existsSync(join(process.resourcesPath, 'app-update.yml')),
    platform: process.platform,
    appimage: process.env['APPIMAGE'],
    for_all: isForAll(process.execPath, process.env),
    signed: process.platform === 'darwin' && (await isSigned()),
  });
  if (way === 'off') return () => undefined;
  const { default: updaters } = await import('electron-updater');
  const updater: UpdaterSide = updaters.autoUpdater;
  const report = (update: Parameters<Facts['update']>[0]['update']): void => {
    if (update !== undefined) facts.update({ update });
  };
  const updates = keepUpdates(updater, { ...parts, way, report, now: Date.now });
  const unlisten = host.listen((event) => {
    if (event.kind === 'desktop.asked' && event.what !== 'save_pdf') updates.ask(event.what);
    if (event.kind === 'window.reported') updates.reported();
  });
  return () => {
    unlisten();
    updates.end();
  };
};
