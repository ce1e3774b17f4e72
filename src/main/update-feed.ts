/** Hangs updates.ts on electron-updater, where a feed was named when this program was packaged (.config/electron-builder.js). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { Host } from '../host/index.ts';
import type { Facts } from './facts.ts';
import { isForAll, keepUpdates, type UpdateParts, type UpdaterSide, updateWay } from './updates.ts';

/** @returns looks no longer */
export const followUpdates = async (
  host: Pick<Host, 'listen'>,
  facts: Facts,
  parts: Pick<UpdateParts, 'busy' | 'put_in' | 'log'>,
): Promise<() => void> => {
  const way = updateWay({
    feed: app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml')),
    platform: process.platform,
    appimage: process.env['APPIMAGE'],
    for_all: isForAll(process.execPath, process.env),
  });
  if (way === 'off') return () => undefined;
  const { default: updaters } = await import('electron-updater');
  const updater: UpdaterSide = updaters.autoUpdater;
  const tell = (update: Parameters<Facts['tell']>[0]['update']): void => {
    if (update !== undefined) facts.tell({ update });
  };
  const updates = keepUpdates(updater, { ...parts, way, tell, now: Date.now });
  const unlisten = host.listen((event) => {
    if (event.kind === 'desktop.asked' && event.what !== 'save_pdf') updates.ask(event.what);
    if (event.kind === 'window.reported') updates.reported();
  });
  return () => {
    unlisten();
    updates.end();
  };
};
