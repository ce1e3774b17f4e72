/** Pure: lists, searches and selects the members of a project. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import type { PendingSummary } from '../../../data/near-misses/pending-operations.ts';
import type { MemberView } from '../../../data/company/membership-rows.ts';
import { traitsOf as factsOfKind } from '../../../operations/operation.ts';
import { narrow } from '../../../parts/narrow.ts';
import { words } from '../../../words/company-words.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
  /** Null if unknown; the server decides then. */
  readonly reference_user: boolean | null;
}

export const personOf = (catalog: Catalog | null, id: number): Person => {
  const known = catalog?.parties.find((party) => party.id === id);
  return {
    id,
    name: known?.name ?? words.members.party(id),
    reference_user: catalog === null || known === undefined ? null : known.reference_user,
  };
};

export interface Row extends Person {
  readonly member: MemberView;
  /** False if the known list of the company lacks them, perhaps because they left. */
  readonly listed: boolean;
}

/** Sorted by name. Matches every word of the text, or the number. */
export const rowsOf = (
  members: readonly MemberView[],
  catalog: Catalog | null,
  text: string,
): readonly Row[] => {
  const parties = new Map((catalog?.parties ?? []).map((party) => [party.id, party]));
  const rows = members.map((member): Row => {
    const known = parties.get(member.party_id);
    return {
      id: member.party_id,
      member,
      name: known?.name ?? words.members.party(member.party_id),
      reference_user: known?.reference_user ?? null,
      listed: known !== undefined || parties.size === 0,
    };
  });
  const wanted = text.trim();
  const found = narrow(rows, wanted) as readonly Row[];
  const numbered = rows.filter((row) => String(row.id) === wanted && !found.includes(row));
  return [...numbered, ...found].toSorted((a, b) => a.name.localeCompare(b.name));
};

/** The line below a name. */
export const traitsOf = ({ id, reference_user, listed }: Row): string => {
  const t = words.members;
  // Without a list of people the name already contains the number.
  if (!listed) return t.unlisted;
  const why = reference_user === null ? [] : [reference_user ? t.reference : t.own_login];
  return [t.number(id), ...why].join(' · ');
};

/** Only reference users can be removed here (decisions §7). If that is unknown, the server decides. */
export const canGo = ({ member, reference_user }: Row): boolean =>
  member.standing === 'in' &&
  reference_user !== false &&
  member.waiting.every(({ state }) => state !== 'parked');

const ofMany = (kind: string): boolean => factsOfKind(kind)?.many ?? false;

/** Parked requests for several people, each once, with the number of people. */
export const parkedTogether = (
  members: readonly MemberView[],
): readonly { readonly operation: PendingSummary; readonly people: number }[] => {
  const operations = members.flatMap(({ waiting }) =>
    waiting.filter(({ kind, state }) => state === 'parked' && ofMany(kind)),
  );
  return [...Map.groupBy(operations, ({ id }) => id).values()].flatMap(([operation, ...others]) =>
    operation === undefined ? [] : [{ operation, people: others.length + 1 }],
  );
};

/** The parked request that concerns this person alone; null if there is none. */
export const parkedAlone = ({ waiting }: MemberView): PendingSummary | null =>
  waiting.find(({ kind, state }) => state === 'parked' && !ofMany(kind)) ?? null;

/** True if the latest request is pending and affects only this person. */
export const canTakeBack = ({ member }: Row): boolean =>
  member.waiting.length > 0 &&
  !ofMany(member.waiting.at(-1)?.kind ?? '') &&
  parkedAlone(member) === null;

export const candidates = (
  catalog: Catalog | null,
  members: readonly MemberView[],
): readonly Person[] => {
  const inside = new Set(
    members.filter(({ standing }) => standing !== 'going').map(({ party_id }) => party_id),
  );
  return (catalog?.parties ?? [])
    .filter((party) => party.reference_user && !inside.has(party.id))
    .toSorted((a, b) => a.name.localeCompare(b.name));
};

/** Parses numbers separated by spaces, commas or semicolons; null if anything else is in the text. */
export const numbersOf = (text: string): readonly number[] | null => {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.every((part) => /^[1-9]\d{0,14}$/.test(part))
    ? [...new Set(parts.map(Number))]
    : null;
};
