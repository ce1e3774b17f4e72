/**
 * Looks for a record that an earlier attempt may have created, for servers that keep no idempotency keys (decisions
 * §1.5 is ours) or have forgotten the key. It runs before anything is sent again (outbox promise 2). A match has the
 * same incident and text and belongs to no other report of this laptop. A clear match is taken; otherwise the user is
 * asked. A record is never sent on a guess.
 */
import { everyRow } from '../../../contract/rest/protocol/every-page.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { isText } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMiss, NearMissCreate } from '../../../contract/rest/near-misses.ts';
import type { Deps } from '../../data/db/db.ts';
import { fieldsOfServer, isFromServer, wireOf } from '../../data/model/near-miss-rows.ts';
import { textOf } from '../../data/model/text.ts';
import type { Candidate, CreateNotes } from '../../operations/near-miss.ts';
import { nearMiss } from '../../operations/queued.ts';
import { makesNearMiss } from '../../operations/operation.ts';
import type { Envelope } from '../../operations/stored.ts';
import type { SendContext } from './handler.ts';

/** The fields that identify a report on the server. Reports with equal fields differ only by their id. */
interface Wanted {
  readonly project_id: number;
  readonly body: NearMissCreate;
}

/** Range of times of the attempts with an unknown outcome, by the server's clock. Each attempt moves `to`. */
interface Sent {
  readonly from: number;
  readonly to: number;
}

/**
 * The attempts of an operation as far as this laptop knows them. A rebuilt operation knows only that there may have
 * been some (failures A19).
 */
interface KnownTries {
  readonly sent: Sent | null;
  /**
   * The database that knew is lost, or another laptop has the operation too: it may have been sent at any time since its
   * creation.
   */
  readonly restored: boolean;
  readonly server_id: number | null;
  readonly as_new: boolean;
  readonly not_it: readonly unknown[];
}

type Context = SendContext<CreateNotes>;

const DAY_MS = 86_400_000;
/** The clock skew to allow for: `Date` headers have whole seconds and may have been delayed. */
const CLOCK_SLACK_MS = 2 * 60_000;
/** A server may work on a request for this long after its last byte was sent. */
const LATE_MS = 10 * 60_000;
const PER_PAGE = 1000;
/** The most candidates kept for the user to choose from. */
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

/** With idempotency keys, attempts are recorded when the operation is claimed. */
const earlierTries = ({ tries }: Pick<Envelope, 'tries'>): Sent | null =>
  tries === null || tries.before === null ? null : { from: tries.first, to: tries.before };

/**
 * The fingerprint of a report. Reports with equal fingerprints are sent one at a time, so that a search never finds
 * another's record.
 */
export const fingerprintOf = (account: string, { project_id, body }: Wanted): string =>
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
    // Other servers may lack the bin.
    else if (rows.problem.kind !== 'gone' || name === 'near_misses.list') return rows;
  }
  return ok(all);
};

interface OfEntry extends Pick<Deps, 'db'> {
  readonly operation: Pick<Envelope, 'id' | 'account' | 'lane'>;
}

/** Server ids that belong to other reports of this laptop: settled ones by their row, others by their checkpoint. */
export const taken = async (
  { db, operation }: OfEntry,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await db.near_misses
    .where('[account+server_id]')
    .anyOf(ids.map((id) => [operation.account, id]))
    .toArray();
  const others = await creates({ db, operation });
  return new Set([
    ...rows
      .filter((row) => row.key !== operation.lane && !isFromServer(row.key))
      .flatMap((row) => row.server_id ?? []),
    ...others.flatMap((one) => notesOf(one).server_id ?? []),
  ]);
};

const creates = async ({ db, operation }: OfEntry) => {
  const all = await db.operations
    .where('[account+seq]')
    .between([operation.account, -Infinity], [operation.account, Infinity])
    .and((one) => makesNearMiss(one) && one.id !== operation.id)
    .toArray();
  return nearMiss.create.in(all);
};

/** The number of queued reports with this fingerprint that may have created an unclaimed record, including this one. */
const unaccounted = async (wanted: Wanted, context: Context): Promise<number> => {
  const fingerprint = fingerprintOf(context.operation.account, wanted);
  const others = (await creates(context)).filter((one) => {
    const { sent, restored, server_id, as_new } = notesOf(one);
    return (
      (sent !== null || restored) &&
      server_id === null &&
      !as_new &&
      fingerprintOf(one.account, one.payload) === fingerprint
    );
  });
  return others.length + 1;
};

/** True if no other field contradicts the found record. A server may know less, but not something different. */
const agrees = (found: NearMiss, body: NearMissCreate): boolean => {
  const theirs = wireOf(fieldsOfServer(found));
  return Object.entries(body).every(
    ([name, mine]) =>
      ['incident_id', 'description'].includes(name) ||
      mine === null ||
      mine === undefined ||
      theirs[name] === null ||
      theirs[name] === undefined ||
      (isText(name) && theirs[name] === '') ||
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
 * Finds the record of an earlier attempt; null if there is none. Fails with `outcome_unknown` if several may match; they are
 * kept in the checkpoint for the user to choose from.
 */
export const lookForRecord = async (
  wanted: Wanted,
  context: Context,
): Promise<Result<NearMiss | null>> => {
  const { operation, clock } = context;
  const { restored, not_it, ...noted } = notesOf(operation);
  const sent = noted.sent ?? earlierTries(operation);
  const from = sent?.from ?? operation.created_at;
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
  // There are no more matches than equal reports that may have been sent, so each report can take one.
  if (first !== undefined && !restored && likely.length <= (await unaccounted(wanted, context)))
    return ok(first);
  await context.checkpoint({ candidates: free.slice(-SHOWN).map(candidateOf) });
  return fail({ kind: 'outcome_unknown', records: free.length });
};
