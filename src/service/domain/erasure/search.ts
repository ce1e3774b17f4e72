/** [ours] Finds every place in a company that holds a person's name (decisions §21.1). Reads only, a part at a time. */
import type { HistoryChange } from '../../../contract/rest/history/near-miss-history.ts';
import { HITS_MAX } from '../../../contract/rest/retention/erasures.ts';
import { textFields } from '../../../contract/rest/near-miss-fields.ts';
import type { Db } from '../../store/engine/db.ts';
import { listLoneFiles } from '../../store/erasure/files.ts';
import {
  incidentNumbers,
  listMembers,
  listPeople,
  listTokenNames,
  numbersOf,
} from '../../store/erasure/people.ts';
import { textRows, type TextTable } from '../../store/erasure/texts.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { invalid } from '../problem.ts';
import type { Secrets } from '../webhooks/webhook-ports.ts';
import { keptTextOf } from './copies.ts';
import type { Finder, Match } from './finder.ts';
import { judgeOf } from './held.ts';
import { digestOf, inOrder, type Found, type Hit, type Spot } from './hits.ts';
import { copies, copyTables, places, type Place } from './places.ts';
import type { Subject } from './subject.ts';

export interface SearchParts {
  readonly db: Db;
  readonly company_id: number;
  /** Who erases. */
  readonly user_id: number;
  readonly secrets: Secrets;
}

const text = (value: string | number | null | undefined): string => String(value ?? '');

const toFind = (finder: Finder, spot: Spot, value: string, more: Partial<Found> = {}): Found[] => {
  const match = finder.find(value);
  return match === null
    ? []
    : [{ ...spot, excerpt: finder.excerpt(value), digest: digestOf(value), match, ...more }];
};

const accounts = async ({ db, company_id }: SearchParts, subject: Subject): Promise<Found[]> => {
  const found: Found[] = [];
  const add = (
    kind: 'user' | 'person' | 'party',
    resource: string,
    row: { readonly id: number; readonly name: string; readonly login: string },
    isChosen: boolean,
  ): void => {
    const value = [row.name, row.login].filter((one) => one !== '').join(', ');
    // Somebody else may have the same name.
    const other = subject.is_chosen && !isChosen;
    const match: Match = isChosen ? 'whole' : subject.finder.find(value);
    if (match !== null)
      found.push({
        kind,
        resource,
        resource_id: row.id,
        part: '',
        field: 'name',
        excerpt: value,
        digest: digestOf(value),
        match,
        delicate: other,
      });
  };
  for (const user of await listMembers(db, company_id))
    if (user.service_account === 0) add('user', 'users', user, user.id === subject.user_id);
    else
      found.push(
        ...toFind(
          subject.finder,
          { kind: 'access', resource: 'users', resource_id: user.id, part: '', field: 'name' },
          user.name,
        ),
      );
  for (const person of await listPeople(db, company_id, 'people'))
    add('person', 'people', person, subject.person_ids.has(person.id));
  for (const party of await listPeople(db, company_id, 'parties'))
    add('party', 'parties', party, false);
  return found;
};

const inPlace = async (
  { db, company_id }: SearchParts,
  finder: Finder,
  place: Place,
): Promise<Found[]> => {
  const found: Found[] = [];
  for await (const rows of textRows(db, company_id, place))
    for (const row of rows)
      for (const field of place.columns) {
        const spot = {
          kind: place.kind,
          resource: place.table,
          resource_id: Number(row['id']),
          part: '',
          field,
        };
        const more = place.delicate ? { delicate: true } : {};
        found.push(...toFind(finder, spot, text(row[field]), more));
      }
  return found;
};

/** Checked as the search goes on, so that a common word ends it early. @throws Refusal 422 */
const requireRoom = (found: readonly Found[]): void => {
  if (found.length > HITS_MAX)
    throw invalid({
      'erasure.name': [
        `is in more than ${HITS_MAX} places, which is the most that can be decided at once: give the whole name`,
      ],
    });
};

const ofNearMiss = (
  kind: 'report' | 'history' | 'comment' | 'photo_name' | 'photo' | 'legal_hold',
  id: string | number | null | undefined,
  field: string,
  part: string | number = '',
): Spot => ({ kind, resource: 'near_misses', resource_id: Number(id), part: String(part), field });

const reportTable: TextTable = {
  table: 'near_misses',
  keys: ['id'],
  columns: ['description', 'custom_fields', 'created_with', ...textFields],
};

const inReports = async (
  { db, company_id }: SearchParts,
  finder: Finder,
  labels: ReadonlyMap<string, string>,
): Promise<Found[]> => {
  const found: Found[] = [];
  for await (const rows of textRows(db, company_id, reportTable)) {
    for (const row of rows) {
      const { id } = row;
      for (const field of ['description', 'created_with', ...textFields])
        found.push(...toFind(finder, ofNearMiss('report', id, field), text(row[field])));
      const custom = JSON.parse(text(row['custom_fields'])) as StoredFields;
      for (const [key, value] of Object.entries(custom)) {
        const spot = ofNearMiss('report', id, `custom_field_${key}`);
        found.push(...toFind(finder, spot, value ?? '', { label: labels.get(key) ?? null }));
      }
    }
    requireRoom(found);
  }
  return found;
};

/** Every text of an entry, in a line each. */
export const textOfEntry = (changes: string | null, client: string | null): string =>
  [
    ...(JSON.parse(changes ?? '[]') as HistoryChange[]).flatMap(({ from, to }) => [from, to]),
    client,
  ]
    .filter((one) => typeof one === 'string')
    .join('\n');

const inHistory = async ({ db, company_id }: SearchParts, finder: Finder): Promise<Found[]> => {
  const found: Found[] = [];
  const table = {
    table: 'near_miss_history' as const,
    keys: ['near_miss_id', 'position'],
    columns: ['changes', 'client'],
  };
  for await (const rows of textRows(db, company_id, table)) {
    for (const { near_miss_id, position, changes, client } of rows) {
      const spot = ofNearMiss('history', near_miss_id, 'changes', text(position));
      const said = textOfEntry(changes as string | null, client as string | null);
      found.push(...toFind(finder, spot, said));
    }
    requireRoom(found);
  }
  return found;
};

const inComments = async ({ db, company_id }: SearchParts, finder: Finder): Promise<Found[]> => {
  const found: Found[] = [];
  const table = {
    table: 'near_miss_comments' as const,
    keys: ['id'],
    columns: ['near_miss_id', 'text'],
  };
  for await (const rows of textRows(db, company_id, table)) {
    for (const row of rows) {
      const spot = ofNearMiss('comment', row['near_miss_id'], 'text', text(row['id']));
      found.push(...toFind(finder, spot, text(row['text'])));
    }
    requireRoom(found);
  }
  return found;
};

const inHolds = async ({ db, company_id }: SearchParts, finder: Finder): Promise<Found[]> => {
  const found: Found[] = [];
  const table = {
    table: 'legal_holds' as const,
    keys: ['near_miss_id'],
    columns: ['reason'],
  };
  for await (const rows of textRows(db, company_id, table))
    for (const { near_miss_id, reason } of rows)
      found.push(...toFind(finder, ofNearMiss('legal_hold', near_miss_id, 'reason'), text(reason)));
  return found;
};

const inFileNames = async ({ db, company_id }: SearchParts, finder: Finder): Promise<Found[]> => {
  const found: Found[] = [];
  const table = {
    table: 'uploads' as const,
    keys: ['uuid'],
    columns: ['response_filename', 'associated_type', 'associated_id'],
  };
  for await (const rows of textRows(db, company_id, table)) {
    for (const row of rows) {
      const name = text(row['response_filename']);
      const part = text(row['uuid']);
      const spot: Spot =
        row['associated_type'] === 'near_miss'
          ? ofNearMiss('photo_name', row['associated_id'], 'filename', part)
          : { kind: 'file_name', resource: 'uploads', resource_id: null, part, field: 'filename' };
      found.push(...toFind(finder, spot, name));
    }
    requireRoom(found);
  }
  for (const { id, filename } of await listLoneFiles(db, company_id))
    found.push(
      ...toFind(
        finder,
        {
          kind: 'file_name',
          resource: 'stored_files',
          resource_id: id,
          part: '',
          field: 'filename',
        },
        filename,
      ),
    );
  return found;
};

/** All names of tokens are one place: they belong to accounts, and have no address. */
const inTokens = async ({ db, company_id }: SearchParts, finder: Finder): Promise<Found[]> => {
  const spot: Spot = {
    kind: 'access',
    resource: 'tokens',
    resource_id: null,
    part: '',
    field: 'name',
  };
  const named = (await listTokenNames(db, company_id)).map(({ name }) => name);
  return toFind(finder, spot, named.filter((name) => finder.find(name) !== null).join(', '));
};

/** Whether a table of copies holds the name. Traffic changes it all the time, so its texts are not compared. */
const inCopies = async (parts: SearchParts, finder: Finder): Promise<Found[]> => {
  const found: Found[] = [];
  for (const name of copyTables) {
    const match = await matchIn(parts, finder, name);
    if (match !== null)
      found.push({
        kind: 'copy',
        resource: name,
        resource_id: null,
        part: '',
        field: 'text',
        excerpt: '',
        digest: '',
        match,
      });
  }
  return found;
};

const matchIn = async (
  { db, company_id, secrets }: SearchParts,
  finder: Finder,
  name: (typeof copyTables)[number],
): Promise<Match> => {
  let best: Match = null;
  for await (const rows of textRows(db, company_id, copies[name]))
    for (const row of rows) {
      const match = finder.find(keptTextOf(name, company_id, row, secrets));
      if (match === 'whole') return match;
      best ??= match;
    }
  return best;
};

/** The photos of near misses that name the person: an admin looks at them. */
const photosOf = async (
  { db, company_id }: SearchParts,
  found: readonly Found[],
): Promise<Found[]> => {
  const named = new Set(
    found
      .filter(({ resource, match }) => resource === 'near_misses' && match === 'whole')
      .map(({ resource_id }) => resource_id),
  );
  const [people, parties] = (['person', 'party'] as const).map(
    (kind) =>
      new Set(
        found
          .filter((one) => one.kind === kind && one.delicate !== true)
          .map(({ resource_id }) => resource_id),
      ),
  );
  const affected: TextTable = {
    table: 'near_misses',
    keys: ['id'],
    columns: ['affected_person_id', 'affected_party_id'],
  };
  for await (const rows of textRows(db, company_id, affected))
    for (const { id, affected_person_id, affected_party_id } of rows)
      if (people?.has(affected_person_id as number) || parties?.has(affected_party_id as number))
        named.add(id as number);
  const photos: TextTable = {
    table: 'near_miss_attachments',
    keys: ['id'],
    columns: ['near_miss_id', 'filename'],
  };
  const all: Found[] = [];
  for await (const rows of textRows(db, company_id, photos))
    for (const { id, near_miss_id, filename } of rows)
      if (named.has(near_miss_id as number))
        all.push({
          ...ofNearMiss('photo', near_miss_id, 'photo', text(id)),
          excerpt: text(filename),
          digest: digestOf(text(filename)),
          match: 'part',
        });
  return all;
};

const labelsOf = async ({ db, company_id }: SearchParts): Promise<ReadonlyMap<string, string>> => {
  const labels = new Map<string, string>();
  const table: TextTable = {
    table: 'custom_field_definitions',
    keys: ['id'],
    columns: ['label'],
  };
  for await (const rows of textRows(db, company_id, table))
    for (const { id, label } of rows) labels.set(text(id), text(label));
  return labels;
};

/** A place in a private incident that the admin does not see (decisions §4.5): it can be decided about, but not read. */
const withoutWords = (hit: Hit): Hit => ({
  ...hit,
  excerpt: '',
  label: null,
  held: hit.held && { ...hit.held, reason: null },
});

/** @throws Refusal 422 if there are too many */
export const searchPlaces = async (parts: SearchParts, subject: Subject): Promise<Hit[]> => {
  const { finder } = subject;
  const { db } = parts;
  const found = [
    ...(await accounts(parts, subject)),
    ...(await inReports(parts, finder, await labelsOf(parts))),
    ...(await inHistory(parts, finder)),
    ...(await inComments(parts, finder)),
    ...(await inHolds(parts, finder)),
    ...(await inFileNames(parts, finder)),
    ...(await inTokens(parts, finder)),
    ...(await inCopies(parts, finder)),
  ];
  for (const place of places) found.push(...(await inPlace(parts, finder, place)));
  found.push(...(await photosOf(parts, found)));
  requireRoom(found);
  const idsOf = (resource: string): number[] => [
    ...new Set(found.flatMap((one) => (one.resource === resource ? (one.resource_id ?? []) : []))),
  ];
  const numbers = {
    near_misses: await numbersOf(db, parts, idsOf('near_misses')),
    incidents: await incidentNumbers(db, parts, idsOf('incidents')),
  };
  const judge = await judgeOf(db, parts);
  const hits: Hit[] = [];
  for (const one of found) {
    const { resource } = one;
    const known = resource in numbers ? numbers[resource as keyof typeof numbers] : undefined;
    const shown = known?.get(one.resource_id ?? 0);
    // The near miss was deleted for good meanwhile.
    if (known !== undefined && shown === undefined) continue;
    const { number = null, project_id = null, visible = true } = shown ?? {};
    const hit = { ...one, number, project_id, held: await judge(one) };
    hits.push(visible ? hit : withoutWords(hit));
  }
  return inOrder(hits);
};
