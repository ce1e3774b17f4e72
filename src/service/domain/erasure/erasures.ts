/** [ours] The preview, the decisions and the proof of an erasure (decisions §21). */
import { randomInt } from 'node:crypto';
import {
  choicesOf,
  type Erasure,
  type ErasureAct,
  type ErasureCreate,
  type ErasurePreview,
  type ErasureProof,
  type ErasureSubject,
  type HitKind,
  hitKinds,
} from '../../../contract/rest/retention/erasures.ts';
import type { Db } from '../../store/engine/db.ts';
import * as store from '../../store/erasure/erasures.ts';
import { recordAct, type Actor } from '../evidence/admin-acts.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { pageOf, sliceOf, type Page, type Paged } from '../page.ts';
import { conflict, invalid, notFound } from '../problem.ts';
import { fingerprintOf, idOf, viewHit, type Hit } from './hits.ts';
import { searchPlaces, type SearchParts } from './search.ts';
import { sealNames } from './sealed-names.ts';
import { subjectOf, type Subject } from './subject.ts';

interface Searched {
  readonly subject: Subject;
  readonly hits: readonly Hit[];
  readonly fingerprint: string;
}

/** @throws Refusal 422 */
const search = async (parts: SearchParts, body: ErasureSubject): Promise<Searched> => {
  const subject = await subjectOf(parts.db, parts.company_id, body);
  const hits = await searchPlaces(parts, subject);
  return { subject, hits, fingerprint: fingerprintOf(subject.finder.names, hits) };
};

/** Reads only. @throws Refusal 422 */
export const previewErasure = async (
  parts: SearchParts,
  body: ErasureSubject,
  paged: Paged,
): Promise<ErasurePreview> => {
  const { hits, fingerprint } = await search(parts, body);
  const { offset, limit } = sliceOf(paged);
  const page = hits.slice(offset, offset + limit);
  return {
    fingerprint,
    total: hits.length,
    hits: page.map(viewHit),
  };
};

const actsOf = (
  hits: readonly Hit[],
  decisions: ErasureCreate['decisions'],
): ReadonlyMap<string, ErasureAct> => {
  const kinds = new Map(hits.map((hit) => [idOf(hit), hit.kind]));
  const wrong = decisions.filter(({ id, act }) => {
    const kind = kinds.get(id);
    return kind === undefined || !choicesOf(kind).includes(act);
  });
  if (wrong.length > 0)
    throw invalid({
      'erasure.decisions': wrong
        .slice(0, 20)
        .map(({ id, act }) => `${id}: ${act} is no choice of this place`),
    });
  return new Map(decisions.map(({ id, act }) => [id, act]));
};

/** No letter or digit that is read as another. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 4;

const newPseudonym = async (db: Db, company_id: number): Promise<string> => {
  for (;;) {
    const signs = Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]);
    const pseudonym = `Person ${signs.join('')}`;
    if (!(await store.isPseudonymTaken(db, company_id, pseudonym))) return pseudonym;
  }
};

const CHANGED =
  'A place with this name was changed, added or removed since the preview. Nothing was erased: look at the preview again, then decide.';

/**
 * The first half, before the transaction: it searches again.
 * @returns the second half, which stores the decisions; carry-out.ts does the rest
 * @throws Refusal 409, 422
 */
export const decideErasure = async (
  parts: SearchParts,
  { fingerprint, decisions, ...body }: ErasureCreate,
): Promise<(tx: Db, actor: Actor & { readonly user_id: number }) => Promise<ErasureProof>> => {
  const searched = await search(parts, body);
  if (searched.fingerprint !== fingerprint) throw conflict(CHANGED);
  const acts = actsOf(searched.hits, decisions);
  if (![...acts.values()].some((act) => act !== 'keep'))
    throw invalid({ 'erasure.decisions': ['must erase or pseudonymise at least one place'] });
  const items = searched.hits.map((hit) => {
    const { kind, resource, resource_id, part, project_id, number, field } = hit;
    const act = acts.get(idOf(hit)) ?? 'keep';
    const outcome = act === 'keep' ? 'kept' : (hit.held?.why ?? null);
    return { kind, resource, resource_id, part, project_id, number, field, act, outcome };
  });
  return async (tx, actor) => {
    const { company_id, user_id, now } = actor;
    const id = await store.newErasureId(tx);
    const which = { company_id, id };
    const names = sealNames(parts.secrets, which, searched.subject.finder.names);
    const pseudonym = await newPseudonym(tx, company_id);
    const ended = { done_at: null, copies_until: null };
    const row = { ...which, user_id, pseudonym, names, created_at: now, ...ended };
    await store.insertErasure(tx, row, items);
    await recordAct(tx, actor, { act: 'person_erased', details: { erasure_id: id } });
    return showErasure(tx, company_id, id);
  };
};

type Outcomes = Awaited<ReturnType<typeof store.countOutcomes>>;

const resultOf = ({ act, outcome }: Outcomes[number]) => {
  if (outcome === null) return 'waiting';
  if (outcome === 'kept') return 'kept';
  if (outcome === 'done' || outcome === 'gone') return act === 'erase' ? 'erased' : 'pseudonymised';
  return 'refused';
};

const countsOf = (outcomes: Outcomes): Erasure['counts'] =>
  hitKinds.flatMap((kind) => {
    const own = outcomes.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const none = { erased: 0, pseudonymised: 0, kept: 0, refused: 0, waiting: 0 };
    for (const one of own) none[resultOf(one)] += one.n;
    return [{ kind, ...none }];
  });

const view = async (
  db: Db,
  company_id: number,
  rows: readonly store.ShownErasure[],
): Promise<Erasure[]> => {
  const ids = rows.map(({ id }) => id);
  const outcomes = await store.countOutcomes(db, company_id, ids);
  return rows.map((row) => ({
    id: row.id,
    pseudonym: row.pseudonym,
    created_at: wireTime(row.created_at),
    created_by: { id: row.user_id, name: row.user_name, login: row.user_login },
    done_at: wireTimeOrNull(row.done_at),
    copies_until: wireTimeOrNull(row.copies_until),
    counts: countsOf(outcomes.filter(({ erasure_id }) => erasure_id === row.id)),
  }));
};

/** Newest first. */
export const listErasures = (db: Db, company_id: number, paged: Paged): Promise<Page<Erasure>> =>
  pageOf(paged, {
    count: () => store.countErasures(db, company_id),
    rows: (slice) => store.listErasures(db, company_id, slice),
    view: (rows) => view(db, company_id, rows),
  });

const REMAINED_MAX = 1000;

/** @throws Refusal 404 */
export const showErasure = async (
  db: Db,
  company_id: number,
  id: number,
): Promise<ErasureProof> => {
  const row = await store.findErasure(db, { company_id, id });
  const [shown] = row ? await view(db, company_id, [row]) : [];
  if (!shown) throw notFound();
  const remained = await store.listRemained(db, { company_id, id }, REMAINED_MAX);
  return {
    ...shown,
    remained: remained.map(({ outcome, ...item }) => ({
      kind: item.kind as HitKind,
      resource: item.resource,
      resource_id: item.resource_id,
      project_id: item.project_id,
      number: item.number,
      field: item.field,
      why: outcome === 'kept' ? 'chosen' : (outcome as ErasureProof['remained'][number]['why']),
    })),
  };
};
