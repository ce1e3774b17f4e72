/** Makes one step of the window slow, until the test lets it go on. */
import type { Table } from 'dexie';
import { Dexie } from 'dexie';
import { onTestFinished } from 'vitest';
import type { ScriptedHost } from './renderer-host.ts';

type Release = () => void;

/** Holds every call of this method or endpoint. */
export const holdCalls = (host: ScriptedHost, name: string): Release => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const carrier = host.carrier.bind(host);
  host.carrier = () => {
    const real = carrier();
    return {
      ...real,
      call: async (method, input, bytes) => {
        const { endpoint } = input as { readonly endpoint?: unknown };
        if (method === name || endpoint === name) await promise;
        return real.call(method, input, bytes);
      },
    };
  };
  onTestFinished(() => resolve());
  return resolve;
};

/** Holds every read and write of these tables, as a large transaction of another window does. */
export const holdTables = async (...tables: readonly [Table, ...Table[]]): Promise<Release> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  void tables[0].db.transaction('rw', [...tables], async () => {
    await tables[0].count();
    locked.resolve();
    await Dexie.waitFor(promise);
  });
  await locked.promise;
  onTestFinished(() => resolve());
  return resolve;
};
