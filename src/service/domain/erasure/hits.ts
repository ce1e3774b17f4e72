/** [ours] One place that holds a name, as the search finds it and the preview shows it (decisions §21.1). Pure. */
import { createHash } from 'node:crypto';
import {
  choicesOf,
  hitKinds,
  type ErasureAct,
  type ErasureHit,
  type HitKind,
  type Obstacle,
} from '../../../contract/rest/retention/erasures.ts';
import type { Match } from './finder.ts';

export interface Held {
  readonly why: Obstacle;
  readonly reason: string | null;
}

/** What names a place. */
export interface Spot {
  readonly kind: HitKind;
  /** The table of the record. Texts of a near miss, its history, comments and photos are all of `near_misses`. */
  readonly resource: string;
  readonly resource_id: number | null;
  /** What of the record: the position of a history entry, the id of a comment or photo, the uuid of an upload, else ''. */
  readonly part: string;
  readonly field: string;
}

export interface Found extends Spot {
  /** One line around the name. */
  readonly excerpt: string;
  /** Of the whole text: thousands of long texts would not fit in memory. */
  readonly digest: string;
  readonly match: Match;
  /** True if the place is not proposed although the whole name is there. */
  readonly delicate?: boolean;
  readonly label?: string | null;
}

/** A found place with what its record says of it. */
export interface Hit extends Found {
  readonly project_id: number | null;
  readonly number: string | null;
  readonly held: Held | null;
}

export const idOf = ({ kind, resource, resource_id, part, field }: Spot): string =>
  [kind, resource, resource_id ?? '', part, field].join(':');

/** Accounts first, then each near miss with all that belongs to it, then incidents and the rest. */
const rankOf = ({ kind, resource }: Spot): number => {
  const at = hitKinds.indexOf(kind);
  return resource === 'near_misses' ? hitKinds.indexOf('report') : at;
};

export const inOrder = <T extends Spot>(hits: readonly T[]): T[] =>
  hits.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0) ||
      (a.resource_id ?? 0) - (b.resource_id ?? 0) ||
      hitKinds.indexOf(a.kind) - hitKinds.indexOf(b.kind) ||
      Number(a.part) - Number(b.part) ||
      (idOf(a) < idOf(b) ? -1 : 1),
  );

const proposedFor = ({ kind, match, delicate, held }: Hit): ErasureAct => {
  const [usual = 'keep'] = choicesOf(kind);
  return match === 'whole' && delicate !== true && held === null ? usual : 'keep';
};

/** What a response says of where the name is. */
export const viewPlace = (hit: Hit) => ({
  kind: hit.kind,
  resource: hit.resource,
  resource_id: hit.resource_id,
  project_id: hit.project_id,
  number: hit.number,
  field: hit.field,
  label: hit.label ?? null,
});

export const viewHit = (hit: Hit): ErasureHit => ({
  id: idOf(hit),
  ...viewPlace(hit),
  excerpt: hit.excerpt,
  proposed: proposedFor(hit),
  held: hit.held,
});

export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Of the names and of all places with their texts. */
export const fingerprintOf = (names: readonly string[], hits: readonly Hit[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(names));
  for (const hit of hits)
    hash.update(JSON.stringify([idOf(hit), hit.digest, hit.held?.why ?? null]));
  return hash.digest('base64url').slice(0, 27);
};
