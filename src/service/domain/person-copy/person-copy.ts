/**
 * [ours] What a company keeps about one person (decisions §22): the records that name them by an id, and the texts that hold their name,
 * as an erasure finds them. Reads only.
 */
import {
  COPY_RECORDS_MAX,
  COPY_TEXT_MAX,
  type PersonCopy,
  type PersonCopyCreate,
  type PersonCopyMention,
  type PersonCopyPhoto,
  type PersonCopyRecord,
} from '../../../contract/rest/retention/person-copies.ts';
import { linkedRows } from '../../store/erasure/linked.ts';
import { incidentNumbers, numbersOf, type Shown } from '../../store/erasure/people.ts';
import type { TextRow } from '../../store/erasure/texts.ts';
import { peopleNames } from '../../store/evidence/names.ts';
import { listAttachments } from '../../store/near-misses/near-miss-attachments.ts';
import type { Finder } from '../erasure/finder.ts';
import { viewPlace, type Hit } from '../erasure/hits.ts';
import { searchPlaces, type SearchParts } from '../erasure/search.ts';
import { subjectOf, type Subject } from '../erasure/subject.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { Refusal } from '../problem.ts';
import { plainTextOf } from '../rich-text.ts';
import { links, type Link } from './links.ts';
import { othersMasked } from './others.ts';
import { valuesReader, type Values } from './values.ts';

/** The person, in each table of people. */
interface Ids {
  readonly user: readonly number[];
  readonly person: readonly number[];
  readonly party: readonly number[];
}

const tooLarge = (what: string): Refusal =>
  new Refusal(422, [
    `One copy cannot hold all that is kept about this person: it takes ${what}. Ask whoever runs the service to export it from the database.`,
  ]);

/** The finder of a search that keeps whole texts in place of excerpts. @throws Refusal 422 if they are too long together */
const keepingTexts = (finder: Finder): Finder => {
  let characters = 0;
  return {
    ...finder,
    excerpt: (text) => {
      const plain = text.includes('<') ? plainTextOf(text) : text;
      characters += plain.length;
      if (characters > COPY_TEXT_MAX) throw tooLarge(`${COPY_TEXT_MAX} characters`);
      return plain;
    },
  };
};

const isOwn = ({ match, delicate }: Hit): boolean => match === 'whole' && delicate !== true;

/** @throws Refusal 422 if the name is that of several people: one must not get the copy of another */
const idsOf = (hits: readonly Hit[], { is_chosen }: Subject): Ids => {
  const of = (kind: Hit['kind']) => hits.filter((hit) => hit.kind === kind && isOwn(hit));
  const idsIn = (kind: Hit['kind']) => of(kind).flatMap(({ resource_id }) => resource_id ?? []);
  const people = new Set([...of('user'), ...of('person')].map(({ excerpt }) => excerpt));
  if (!is_chosen && people.size > 1)
    throw new Refusal(422, {
      'person_copy.name': [
        `is the name of ${people.size} people: say which by user_id or person_id`,
      ],
    });
  return { user: idsIn('user'), person: idsIn('person'), party: idsIn('party') };
};

interface Linked {
  readonly link: Link;
  readonly row: TextRow;
}

const readLinked = async ({ db, company_id }: SearchParts, ids: Ids): Promise<Linked[]> => {
  const all: Linked[] = [];
  for (const link of links) {
    const room = COPY_RECORDS_MAX - all.length;
    const rows = await linkedRows(db, company_id, link, ids[link.of], room + 1);
    if (rows.length > room) throw tooLarge(`${COPY_RECORDS_MAX} records`);
    all.push(...rows.map((row) => ({ link, row })));
  }
  return all;
};

type Numbers = ReadonlyMap<number, Shown>;

const idIn = ({ link, row }: Linked, which: 'near_miss' | 'incident'): number | null => {
  const column = link[which];
  const id = column === undefined ? null : row[column];
  return typeof id === 'number' ? id : null;
};
const nearMissIn = (one: Linked): number | null => idIn(one, 'near_miss');

/** Numbers of near misses and incidents, and whether the admin sees them. */
interface Places {
  readonly near_misses: Numbers;
  readonly incidents: Numbers;
}

const placesOf = async (
  parts: SearchParts,
  linked: readonly Linked[],
  named: ReadonlySet<number>,
): Promise<Places> => {
  const idsOf = (which: 'near_miss' | 'incident') =>
    linked.flatMap((one) => idIn(one, which) ?? []);
  const near_misses = [...new Set([...idsOf('near_miss'), ...named])];
  const incidents = [...new Set(idsOf('incident'))];
  return {
    near_misses: await numbersOf(parts.db, parts, near_misses),
    incidents: await incidentNumbers(parts.db, parts, incidents),
  };
};

/** True for a private incident that the admin does not see (decisions §4.5), and all that belongs to it. */
const isHidden = (one: Linked, { near_misses, incidents }: Places): boolean =>
  near_misses.get(nearMissIn(one) ?? 0)?.visible === false ||
  incidents.get(idIn(one, 'incident') ?? 0)?.visible === false;

const isTime = (column: string): boolean => /(?:_at|^at|^since)$/.test(column);

const recordOf = (one: Linked, numbers: Numbers, values: Values): PersonCopyRecord => {
  const { link, row } = one;
  const known = numbers.get(nearMissIn(one) ?? 0);
  const at = isTime(link.at) ? row[link.at] : null;
  return {
    resource: link.table,
    relation: link.relation,
    resource_id: link.id === null ? null : Number(row[link.id]),
    number: known?.number ?? null,
    project_id: known?.project_id ?? null,
    at: typeof at === 'number' && at > 0 ? wireTime(at) : null,
    values,
  };
};

/** The own rows of people are among the records, and those of namesakes are somebody else's. A photo and a copy have no text. */
const WITHOUT: readonly Hit['kind'][] = ['user', 'person', 'party', 'photo', 'copy'];
const hasText = ({ kind }: Hit): boolean => !WITHOUT.includes(kind);

const isPart = ({ match }: Hit): boolean => match === 'part';

const mentionOf = (hit: Hit, mask: (text: string) => string): PersonCopyMention => ({
  ...viewPlace(hit),
  match: isPart(hit) ? 'part' : 'whole',
  text: mask(hit.excerpt),
});

const photosOf = async (
  { db, company_id }: SearchParts,
  own: ReadonlySet<number>,
  named: ReadonlySet<number>,
  numbers: Numbers,
): Promise<PersonCopyPhoto[]> => {
  const attachments = await listAttachments(db, company_id, [...new Set([...own, ...named])]);
  return [...attachments].flatMap(([near_miss_id, rows]) => {
    const known = numbers.get(near_miss_id);
    return known?.visible !== true
      ? []
      : rows.map(({ id, size, sha256, content_type }) => ({
          attachment_id: id,
          near_miss_id,
          number: known.number,
          project_id: known.project_id,
          size,
          sha256,
          content_type,
          own: own.has(near_miss_id),
        }));
  });
};

const reportsIn = (linked: readonly Linked[], relation: string): number[] =>
  linked.flatMap((one) =>
    one.link.table === 'near_misses' && one.link.relation === relation
      ? (nearMissIn(one) ?? [])
      : [],
  );

const textsIn = function* (read: readonly Values[], hits: readonly Hit[]): Generator<string> {
  for (const values of read)
    for (const value of Object.values(values)) if (typeof value === 'string') yield value;
  for (const { excerpt } of hits) yield excerpt;
};

const maskedValues = (values: Values, mask: (text: string) => string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? mask(value) : value,
    ]),
  );

/** @throws Refusal 422 */
export const makePersonCopy = async (
  parts: SearchParts,
  { with_parts, ...body }: PersonCopyCreate,
  now: number,
): Promise<PersonCopy> => {
  const { db, company_id } = parts;
  const subject = await subjectOf(db, company_id, body);
  const { names } = subject.finder;
  const hits = await searchPlaces(parts, { ...subject, finder: keepingTexts(subject.finder) });
  const all = await readLinked(parts, idsOf(hits, subject));
  // A search tells no words of a place that the admin does not see.
  const mentions = hits.filter((hit) => hasText(hit) && hit.excerpt !== '');
  const shown = mentions.filter((hit) => with_parts || !isPart(hit));
  const named = new Set(
    hits.flatMap(({ kind, resource_id }) => (kind === 'photo' ? (resource_id ?? []) : [])),
  );
  const places = await placesOf(parts, all, named);
  const linked = all.filter((one) => !isHidden(one, places));
  const own = new Set(reportsIn(linked, 'created_by'));
  const numbers = places.near_misses;
  const valuesOf = valuesReader(parts, subject.finder);
  const read: Values[] = [];
  for (const one of linked)
    read.push(await valuesOf(one.link, one.row, numbers.get(nearMissIn(one) ?? 0)?.project_id));
  const mask = othersMasked(await peopleNames(db, company_id), names, textsIn(read, shown));
  return {
    made_at: wireTime(now),
    names: [...names],
    records: linked.map((one, at) => recordOf(one, numbers, maskedValues(read[at] ?? {}, mask))),
    mentions: shown.map((hit) => mentionOf(hit, mask)),
    photos: await photosOf(parts, own, named, numbers),
    hidden: all.length - linked.length + hits.filter(hasText).length - mentions.length,
    parts_left_out: mentions.length - shown.length,
  };
};
