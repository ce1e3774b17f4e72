/**
 * Against a server without idempotency keys (decisions §1.5 is ours), a try whose answer was lost may have made its record.
 * It is looked for before anything is sent again (outbox promise 2): same incident, same text, not another report of this
 * laptop. Where that decides, it is taken; where it does not, the user is asked; a record is never sent on a guess.
 */
import { everyRow } from '../../../contract/rest/every-page.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { NearMiss, NearMissCreate } from '../../../contract/rest/near-misses.ts';
import type { Deps } from '../../data/db.ts';
import { fieldsOfServer, wireOf } from '../../data/near-miss-rows.ts';
import { textOf } from '../../data/text.ts';
import type { Candidate, CreateNotes } from '../../entries/near-miss.ts';
import { nearMiss } from '../../entries/queued.ts';
import { makesNearMiss } from '../../entries/entry.ts';
import type { Envelope } from '../../entries/stored.ts';
import type { SendContext } from './operation.ts';

/** What a report is recognised by on the server. Reports that are alike in it are told apart by nothing but their id. */
interface Wanted {
  readonly project_id: number;
  readonly body: NearMissCreate;
}

/** When tries with an unknown outcome left, by the server's clock; `to` grows with each. Null: none did. */
interface Sent {
  readonly from: number;
  readonly to: number;
}

/** What is known of an entry's tries, and what a rebuilt one cannot say (failures A19). */
interface KnownTries {
  readonly sent: Sent | null;
  /** The database that knew is gone, or another laptop has the entry too: any time since it was made. */
  readonly restored: boolean;
  readonly server_id: number | null;
  readonly as_new: boolean;
  readonly not_it: readonly unknown[];
}

type Context = SendContext<CreateNotes>;

const DAY_MS = 86_400_000;
/** How far the two clocks may be apart: `Date` headers tell seconds, and may have been on their way for long. */
const CLOCK_SLACK_MS = 2 * 60_000;
/** A server may work on a request for as long after the last byte of it left. */
const LATE_MS = 10 * 60_000;
const PER_PAGE = 1000;
/** Candidates kept for the user to pick from. */
const SHOWN = 20;

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const notesOf = ({ checkpoint }: { readonly checkpoint: CreateNotes }): KnownTries => {
  const { sent_from: from = null, sent_to: to = null } = checkpoint;
  return {
    sent: from === null || to === null ? null : { from, to },
    restored: checkpoint.restored === true || checkpoint.exported === true,
    server_id: checkpoint.server_id ?? null,
    as_new: checkpoint.as_new === true,
    not_it: checkpoint.not_it ?? [],
  };
};

/** Reports that are alike: only one of them is on its way at a time, so that a look never meets another's record. */
export const likenessOf = (account: string, { project_id, body }: Wanted): string =>
  JSON.stringify([account, project_id, body.incident_id, plain(textOf(body.description ?? ''))]);

/** Every near miss of these days, in the list or the bin. */
const listed = async (
  { project_id, body }: Wanted,
  { host }: Context,
  from: number,
  to: number,
): Promise<Result<readonly NearMiss[]>> => {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const range = `${day(from - DAY_MS)}...${day(to + DAY_MS)}`;
  const all: NearMiss[] = [];
  for (const name of ['near_misses.list', 'recycled_near_misses.list'] as const) {
    const rows = await everyRow(PER_PAGE, (paging) =>
      host.request(name, {
        params: { project_id },
        query: { incident_id: body.incident_id, filters: { created_at: range }, ...paging },
      }),
    );
    if (rows.ok) all.push(...rows.value);
    // Another server may lack the bin.
    else if (rows.problem.kind !== 'gone' || name === 'near_misses.list') return rows;
  }
  return ok(all);
};

interface OfEntry extends Pick<Deps, 'db'> {
  readonly entry: Pick<Envelope, 'id' | 'account' | 'lane'>;
}

/** Ids of the server that belong to other reports of this laptop: settled ones by their row, others by their checkpoint. */
export const taken = async (
  { db, entry }: OfEntry,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await db.near_misses
    .where('[account+server_id]')
    .anyOf(ids.map((id) => [entry.account, id]))
    .toArray();
  const others = await creates({ db, entry });
  return new Set([
    ...rows
      .filter((row) => row.key !== entry.lane && !row.key.startsWith('srv-'))
      .flatMap((row) => row.server_id ?? []),
    ...others.flatMap((one) => notesOf(one).server_id ?? []),
  ]);
};

/** The other creates that wait. */
const creates = async ({ db, entry }: OfEntry) => {
  const all = await db.entries
    .where('[account+seq]')
    .between([entry.account, -Infinity], [entry.account, Infinity])
    .and((one) => makesNearMiss(one) && one.id !== entry.id)
    .toArray();
  return nearMiss.create.in(all);
};

/** Of the waiting reports that are alike, how many may have made a record that nobody has taken yet, this one included. */
const unaccounted = async (wanted: Wanted, context: Context): Promise<number> => {
  const likeness = likenessOf(context.entry.account, wanted);
  const others = (await creates(context)).filter((one) => {
    const { sent, restored, server_id, as_new } = notesOf(one);
    return (
      (sent !== null || restored) &&
      server_id === null &&
      !as_new &&
      likenessOf(one.account, one.payload) === likeness
    );
  });
  return others.length + 1;
};

/** Nothing else that was entered is contradicted by what is there: a server may know less, not something else. */
const agrees = (found: NearMiss, body: NearMissCreate): boolean => {
  const theirs = wireOf(fieldsOfServer(found));
  return Object.entries(body).every(
    ([name, mine]) =>
      ['incident_id', 'description'].includes(name) ||
      mine === null ||
      mine === undefined ||
      theirs[name] === null ||
      theirs[name] === undefined ||
      String(theirs[name]) === String(mine),
  );
};

const candidateOf = (found: NearMiss): Candidate => {
  const at = Date.parse(found.created_at ?? '');
  return {
    server_id: found.id,
    full_number: String(found.full_number ?? found.number ?? found.id),
    created_at: Number.isNaN(at) ? null : at,
    text: plain(found.description_plain_text ?? textOf(found.description ?? '')).slice(0, 300),
    facts: [found.harm_source, found.work_activity, found.affected_person, found.affected_company]
      .flatMap((one) => one?.name ?? [])
      .join(' · '),
    recycled: Boolean(found.deleted_at),
  };
};

/**
 * The record of an earlier try, null where there is none. `unsure`: there are some that may be it, kept in the checkpoint
 * for the user to pick from.
 */
export const lookForRecord = async (
  wanted: Wanted,
  context: Context,
): Promise<Result<NearMiss | null>> => {
  const { entry, clock } = context;
  const { sent, restored, not_it } = notesOf(entry);
  const from = sent?.from ?? entry.created_at;
  const found = await listed(wanted, context, from, clock.now());
  if (!found.ok) return found;
  const text = plain(textOf(wanted.body.description ?? ''));
  const same = found.value.filter(
    (one) =>
      (one.incident_id ?? wanted.body.incident_id) === wanted.body.incident_id &&
      plain(one.description_plain_text ?? textOf(one.description ?? '')) === text,
  );
  const others = await taken(
    context,
    same.map((one) => one.id),
  );
  const free = same
    .filter((one) => !others.has(one.id) && !not_it.includes(one.id))
    .sort((a, b) => a.id - b.id);
  if (free.length === 0) return ok(null);
  const likely = free.filter((one) => {
    const at = candidateOf(one).created_at;
    return (
      sent !== null &&
      at !== null &&
      at >= sent.from - CLOCK_SLACK_MS &&
      at <= sent.to + LATE_MS &&
      agrees(one, wanted.body)
    );
  });
  const [first] = likely;
  // As many as were sent: whichever of those that are alike made it, each gets one.
  if (first !== undefined && !restored && likely.length <= (await unaccounted(wanted, context)))
    return ok(first);
  await context.checkpoint({ candidates: free.slice(-SHOWN).map(candidateOf) });
  return fail({ kind: 'unsure', records: free.length });
};
