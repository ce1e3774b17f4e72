/** What a run left behind, read from the service and from the proxy's record, and the oracle's verdicts over it. */
import type { Seen } from '../../support/chaos.ts';
import type { Server } from '../../support/server.ts';
import { clientOf } from '../../support/service.ts';
import { acknowledged, type Found, hashOf, judge, type Logged } from './oracle.ts';
import { markerOf } from './script.ts';

interface Row {
  readonly description_plain_text: string;
  readonly attachments?: readonly { readonly url: string }[];
}

/** The records of a seed as the service shows them, active and in the bin, every photo's bytes read back. */
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

/** Edits of one record must have reached the service in the order they were made. */
export const outOfOrder = (seen: readonly Seen[]): readonly string[] => {
  const wrong: string[] = [];
  const last = new Map<string, number>();
  const keys = new Set<unknown>();
  for (const { method, status, headers, body, by_proxy } of seen) {
    // A page that a portal puts in the service's place says 200 too.
    if (method !== 'PATCH' || by_proxy || status < 200 || status > 299) continue;
    const key = headers['idempotency-key'];
    if (keys.has(key)) continue;
    keys.add(key);
    const match = /proof \d+ record (\d+) version (\d+)/.exec(body.toString('utf8'));
    if (match === null) continue;
    const [, record = '', version = ''] = match;
    if (Number(version) <= (last.get(record) ?? 0))
      wrong.push(`record ${record}: version ${version} was sent after ${last.get(record)}`);
    last.set(record, Number(version));
  }
  return wrong;
};

const keysOf = (log: readonly Logged[]): readonly string[] => [
  ...new Set(log.flatMap(({ action }) => ('key' in action ? [action.key] : []))),
];

/** What is wrong with the records, one sentence each. */
export const wrongRecords = (
  seed: number,
  log: readonly Logged[],
  found: ReadonlyMap<number, readonly Found[]>,
): readonly string[] =>
  // Records are numbered in the order of their first action, which is their create.
  keysOf(log).flatMap((key, index) => {
    const own = log.filter(({ action }) => !('key' in action) || action.key === key);
    return judge(markerOf(seed, index + 1), own, found.get(index + 1) ?? []) ?? [];
  });

/** Records and photos that were called saved. */
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
