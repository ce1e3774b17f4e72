/** Reads a run's results from the service and the proxy's record, and lets the oracle judge them. */
import type { Seen } from '../../support/chaos.ts';
import type { Server } from '../../support/server.ts';
import { clientOf } from '../../support/service.ts';
import { acknowledged, type Found, hashOf, judge, type Logged } from './oracle.ts';
import { markerOf } from './script.ts';

interface Row {
  readonly description_plain_text: string;
  readonly attachments?: readonly { readonly url: string }[];
}

/** A seed's records on the service, active and in the bin, with the bytes of every photo read back. */
export const foundAt = async (
  { url, first }: Pick<Server, 'url' | 'first'>,
  seed: number,
): Promise<ReadonlyMap<number, readonly Found[]>> => {
  const client = clientOf(url, first);
  const query = `per_page=1000&filters[query]=${encodeURIComponent(`proof ${seed} record`)}`;
  const found = new Map<number, Found[]>();
  for (const [deleted, path] of [
    [false, '~/incidents/near_misses'],
    [true, '~/recycle_bin/incidents/near_misses'],
  ] as const)
    for (const row of (await client.get(`${path}?${query}`)).json as readonly Row[]) {
      const text = row.description_plain_text;
      const match = /^proof (\d+) record (\d+) version \d+$/.exec(text);
      if (match === null || Number(match[1]) !== seed) continue;
      const photos = await Promise.all(
        (row.attachments ?? []).map(async (one) =>
          hashOf(new Uint8Array(await (await fetch(one.url)).arrayBuffer())),
        ),
      );
      const record = Number(match[2]);
      found.set(record, [...(found.get(record) ?? []), { text, deleted, photos }]);
    }
  return found;
};

interface Write {
  readonly method: string;
  readonly key: unknown;
  readonly text: string;
  /** In a batch, an edit may have been refused alone and come again with another key. */
  readonly in_batch: boolean;
}

const writesOf = ({ method, status, headers, body, by_proxy, path }: Seen): readonly Write[] => {
  // A captive portal's page also has status 200.
  if (by_proxy || status < 200 || status > 299) return [];
  const text = body.toString('utf8');
  if (!path.endsWith('/batch'))
    return [{ method, key: headers['idempotency-key'], text, in_batch: false }];
  const { operations } = JSON.parse(text) as {
    operations: readonly { method: string; idempotency_key: string; body?: unknown }[];
  };
  return operations.map((one) => ({
    method: one.method,
    key: one.idempotency_key,
    text: JSON.stringify(one.body ?? null),
    in_batch: true,
  }));
};

/** Finds edits of one record that reached the service out of order. */
export const outOfOrder = (seen: readonly Seen[]): readonly string[] => {
  const wrong: string[] = [];
  const last = new Map<string, number>();
  const keys = new Set<unknown>();
  for (const { method, key, text, in_batch } of seen.flatMap(writesOf)) {
    if (method !== 'PATCH' || keys.has(key)) continue;
    keys.add(key);
    const match = /proof \d+ record (\d+) version (\d+)/.exec(text);
    if (match === null) continue;
    const [, record = '', version = ''] = match;
    const before = last.get(record) ?? 0;
    if (Number(version) < before || (Number(version) === before && !in_batch))
      wrong.push(`record ${record}: version ${version} was sent after ${before}`);
    last.set(record, Number(version));
  }
  return wrong;
};

const keysOf = (log: readonly Logged[]): readonly string[] => [
  ...new Set(log.flatMap(({ action }) => ('key' in action ? [action.key] : []))),
];

/** Describes each wrong record in one sentence. */
export const wrongRecords = (
  seed: number,
  log: readonly Logged[],
  found: ReadonlyMap<number, readonly Found[]>,
): readonly string[] =>
  // Records are numbered by their first action, which is their create.
  keysOf(log).flatMap((key, index) => {
    const own = log.filter(({ action }) => !('key' in action) || action.key === key);
    return judge(markerOf(seed, index + 1), own, found.get(index + 1) ?? []) ?? [];
  });

/** Counts records and photos that were reported saved. */
export const countsOf = (log: readonly Logged[]) => {
  const saved = log.filter(({ outcome }) => outcome?.said === 'saved');
  const photos = saved.map(({ action }) =>
    action.do === 'create' ? action.photos.length : action.do === 'add_photo' ? 1 : 0,
  );
  const records = keysOf(log).filter((key) =>
    acknowledged(log.filter(({ action }) => 'key' in action && action.key === key)),
  );
  return {
    acknowledged: records.length,
    photos: photos.reduce<number>((sum, one) => sum + one, 0),
  };
};
