/** Builds the window when out/ is missing or stale. */
import { staleParts } from '../fresh.ts';
import { windowConfig } from './window-build.ts';

/** @param say called before a build, which takes some seconds */
export const bringWindow = async (root: string, say: (text: string) => void): Promise<void> => {
  if (!staleParts(root).includes('renderer')) return;
  say('Building the window …');
  const { build } = await import('vite');
  await build(windowConfig(root));
};

/** Rebuilds the window at every source change. Resolves after the first build. */
export const watchWindow = async (
  root: string,
  say: (text: string) => void,
  built: () => void = () => say('The window is built: reload it to see the change.'),
): Promise<void> => {
  const { build } = await import('vite');
  const config = windowConfig(root);
  const watcher = await build({ ...config, build: { ...config.build, watch: {} } });
  if (!('on' in watcher)) return;
  await new Promise<void>((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') say(event.error.message);
      if (event.code !== 'END' && event.code !== 'ERROR') return;
      if (event.code === 'END') built();
      resolve();
    });
  });
};
