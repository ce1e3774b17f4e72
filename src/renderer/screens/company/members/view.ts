/** Pure: the members of a project as the screen lists, searches and chooses them. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import type { WaitingBrief } from '../../../data/waiting-entries.ts';
import type { MemberView } from '../../../data/company/membership-rows.ts';
import { factsOf as factsOfKind } from '../../../entries/entry.ts';
import { narrow } from '../../../parts/narrow.ts';
import { words } from '../../../words/wing-words.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
  /** Null where the server does not say: it decides itself. */
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
  /** False where the company's list, as far as it is known here, does not have them: they have left, perhaps. */
  readonly listed: boolean;
}

/** By name; found by every word of the text, or by number. */
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

/** The small line below a name. */
export const factsOf = ({ id, reference_user, listed }: Row): string => {
  const t = words.members;
  // Where people are not listed, a name is made of the number.
  if (!listed) return t.unlisted;
  const why = reference_user === null ? [] : [reference_user ? t.reference : t.own_login];
  return [t.number(id), ...why].join(' · ');
};

/** Only reference users come and go here (decisions §7); of whom nothing is known the server decides. */
export const canGo = ({ member, reference_user }: Row): boolean =>
  member.standing === 'in' &&
  reference_user !== false &&
  member.waiting.every(({ state }) => state !== 'parked');

/** Is a request about several people? */
const ofMany = (kind: string): boolean => factsOfKind(kind)?.many ?? false;

/** Requests for several people at once that are parked, each once, with of how many people it is. */
export const parkedTogether = (
  members: readonly MemberView[],
): readonly { readonly entry: WaitingBrief; readonly people: number }[] => {
  const entries = members.flatMap(({ waiting }) =>
    waiting.filter(({ kind, state }) => state === 'parked' && ofMany(kind)),
  );
  return [...Map.groupBy(entries, ({ id }) => id).values()].flatMap(([entry, ...others]) =>
    entry === undefined ? [] : [{ entry, people: others.length + 1 }],
  );
};

/** What is parked for one person alone. */
export const parkedAlone = ({ waiting }: MemberView): WaitingBrief | null =>
  waiting.find(({ kind, state }) => state === 'parked' && !ofMany(kind)) ?? null;

/** What was last asked for is of this person alone and still on its way. */
export const canTakeBack = ({ member }: Row): boolean =>
  member.waiting.length > 0 &&
  !ofMany(member.waiting.at(-1)?.kind ?? '') &&
  parkedAlone(member) === null;

/** Reference users who are not members: all that can be added. */
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

/** Numbers typed with anything between them; null where something else is among them. */
export const numbersOf = (text: string): readonly number[] | null => {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.every((part) => /^[1-9]\d{0,14}$/.test(part))
    ? [...new Set(parts.map(Number))]
    : null;
};
