/** Writers and readers at once: readers follow the list of near misses, and none may miss a change (decisions §14.1). */
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { startService } from '../../src/service/index.ts';
import { clientOf, type Client, type TestService } from '../support/service.ts';
import { onPostgres } from '../support/database.ts';

export const list = '~/incidents/near_misses';
export const bin = '~/recycle_bin/incidents/near_misses';

export type Row = Pick<NearMiss, 'id' | 'description_plain_text' | 'deleted_at' | 'updated_at'>;

export interface Position {
  readonly updated_at: string;
  readonly id: number;
}

/** The query of the next page after a position. */
const queryAfter = (position: Position | null, per_page: number): string =>
  `sort=updated_at&include_deleted=true&per_page=${per_page}` +
  (position === null
    ? ''
    : `&filters[updated_at]=${position.updated_at}...&after_id=${position.id}`);

/** Reads on from a position until nothing is left. */
export const readOn = async (
  client: Client,
  from: Position | null,
  into: Map<number, Row>,
  { per_page = 100, path = list } = {},
): Promise<Position | null> => {
  let position = from;
  for (;;) {
    const answer = await client.get(`${path}?${queryAfter(position, per_page)}`);
    if (answer.status !== 200) throw new Error(answer.text);
    const rows = answer.json as Row[];
    for (const row of rows) into.set(row.id, row);
    const last = rows.at(-1);
    if (last === undefined) return position;
    position = { id: last.id, updated_at: String(last.updated_at ?? last.deleted_at) };
  }
};

const stateOf = (row: Row | undefined): string =>
  JSON.stringify([row?.description_plain_text, Boolean(row?.deleted_at)]);

/**
 * A second process on the same PostgreSQL, whose clock is behind, so that an order of clocks would lose its changes. The same
 * service on SQLite, which one process owns.
 */
const secondService = async (t: TestService): Promise<{ url: string; stop(): Promise<void> }> => {
  if (!onPostgres) return { url: t.url, stop: () => Promise.resolve() };
  const service = await startService({
    options: { ...t.service.app.options, port: 0 },
    clock: () => Date.now() - 3000,
  });
  return { url: service.url, stop: () => service.stop() };
};

/** Returns the number of records of which a reader holds another state than the server, summed over the readers. */
export const race = async (
  t: TestService,
  { writes, writers, readers }: Readonly<Record<'writes' | 'writers' | 'readers', number>>,
): Promise<{ missed: number; read: number }> => {
  const second = await secondService(t);
  const [near, far] = [t.demo, clientOf(second.url, t.demo)];
  const incident_id = ((await near.get('~/incidents')).json as { id: number }[])[0]?.id;
  const expectOk = ({ status, text }: { status: number; text: string }): void => {
    if (status >= 300) throw new Error(text);
  };

  const write = async (writer: number): Promise<void> => {
    const client = writer % 2 === 0 ? near : far;
    const mine: number[] = [];
    for (let at = 0; at < writes / writers; at += 1) {
      const id = mine[(at * 7) % Math.max(mine.length, 1)];
      const description = `${writer}/${at}`;
      if (id === undefined || at % 4 === 0) {
        const made = await client.post(list, { near_miss: { incident_id, description } });
        expectOk(made);
        mine.push((made.json as { id: number }).id);
      } else if (at % 9 === 5) {
        expectOk(await client.delete(`${list}/${id}`));
        expectOk(await client.patch(`${bin}/${id}/restore`, {}));
      } else if (at % 11 === 7) {
        expectOk(await client.delete(`${list}/${id}`));
        mine.splice(mine.indexOf(id), 1);
      } else expectOk(await client.patch(`${list}/${id}`, { near_miss: { description } }));
    }
  };

  let writing = true;
  const follow = async (reader: number): Promise<ReadonlyMap<number, Row>> => {
    const client = reader % 2 === 0 ? near : far;
    const seen = new Map<number, Row>();
    let position: Position | null = null;
    for (let on = true; on;) {
      on = writing;
      position = await readOn(client, position, seen, { per_page: 20 + reader * 17 });
    }
    return seen;
  };

  const followers = Array.from({ length: readers }, (_, reader) => follow(reader));
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  writing = false;
  const held = await Promise.all(followers);
  const all = new Map<number, Row>();
  for (const path of [list, bin])
    for (const row of (await near.get(`${path}?per_page=10000`)).json as Row[])
      all.set(row.id, row);
  await second.stop();
  const missed = held.flatMap((seen) =>
    [...all].filter(([id, row]) => stateOf(seen.get(id)) !== stateOf(row)),
  );
  return { missed: missed.length, read: all.size };
};
