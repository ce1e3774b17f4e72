/**
 * Serves the named workers of the window as one file each, as the built app does. A dev server serves a worker as some hundred
 * modules. Every window starts an index, and loading it took a third of the processor time of opening the window.
 */
import { basename } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const bundle = async (file: string): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: { input: file, output: { format: 'es', codeSplitting: false } },
    },
  });
  const [{ output }] = [built].flat() as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput];
  return output[0].code;
};

/** @param names files that hold a worker and need no other file, such as a decoder */
export const bundledWorkers = (names: readonly string[]): Plugin => {
  const bundles = new Map<string, ReturnType<typeof bundle>>();
  return {
    name: 'spotter:bundled-workers',
    enforce: 'pre',
    async load(id) {
      const [file = '', query = ''] = id.split('?');
      if (!names.includes(basename(file)) || !query.includes('worker_file')) return null;
      const made = bundles.get(file) ?? bundle(file);
      bundles.set(file, made);
      return made;
    },
  };
};
