/**
 * Property: an export imports on another laptop with every field and byte: all queueable operations, photos with originals and
 * edits, drafts with their photos, settings. SPOTTER_ROUND_TRIPS=200 runs longer.
 */
import fc from 'fast-check';
import { ulid } from 'ulid';
import { expect, inject, it } from 'vitest';
import { languages } from '../../../src/contract/languages.ts';
import { settingsSchema } from '../../../src/contract/settings.ts';
import type { DraftRow, NearMissRow, OutboxOperation } from '../../../src/renderer/data/db/db.ts';
import { editDraftId } from '../../../src/renderer/data/near-misses/drafts.ts';
import { emptyFields, rowOf } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { photoRowOf } from '../../../src/renderer/data/model/photo-rows.ts';
import { askedKinds } from '../../../src/renderer/operations/spec.ts';
import type { CarriedPhoto } from '../../../src/renderer/operations/carried-photo.ts';
import { traitsOf, knownVersions } from '../../../src/renderer/operations/operation.ts';
import { makeOperation } from '../../../src/renderer/outbox/queue/operation-life.ts';
import { exportEverything } from '../../../src/renderer/outbox/transfer/everything.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import { rowsOf } from '../../../src/renderer/outbox/handlers/index.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { ACCOUNT, ScriptedHost } from '../../support/renderer-host.ts';
import { type Lanes, newLanes, notesFor, samplesOf } from '../../support/renderer-queue-samples.ts';
import { host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    round_trips: number;
  }
}

windowPerTest();

const RUNS = inject('round_trips');
/** A time before this test began, so that it is not in the future. */
const THEN = Date.now() - 86_400_000;

const words = fc.string({ unit: anyCharacter, maxLength: 20 });
const number = fc.integer({ min: 1, max: 2 ** 31 });
const said = fc.record({ text: words, id: number, flag: fc.boolean() });
const filename = fc.oneof(
  words.map((text) => `${text}.jpg`),
  // Surrogate pairs, cut at an odd index.
  fc.integer({ min: 44, max: 52 }).map((n) => `${'\u{10400}'.repeat(n)}.jpeg`),
);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 3_000 });
const blur = { kind: 'blur', id: 'b', box: { x: 0, y: 0.25, width: 0.5, height: 0.5 } };
const photo = fc.record(
  {
    bytes,
    filename,
    taken_at: fc.option(
      fc.record({
        local: fc.constant('2026-03-04T07:15:00'),
        offset: fc.option(fc.constant('+02:00')),
        at: fc.option(number),
      }),
    ),
    gps: fc.option(
      fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((n) => n + 0),
        longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((n) => n + 0),
      }),
    ),
    orientation: fc.option(fc.integer({ min: 1, max: 8 })),
    direction: fc.option(fc.integer({ min: 0, max: 359 })),
    cleaned: fc.boolean(),
    original: bytes,
    max_side: fc.option(number),
    turn: fc.constantFrom(1, 2, 3),
  },
  { requiredKeys: ['bytes', 'filename', 'taken_at', 'gps', 'orientation'] },
);
type Photo = typeof photo extends fc.Arbitrary<infer T> ? T : never;
const how = fc.record({
  state: fc.constantFrom('waiting', 'sending', 'parked'),
  attempts: fc.nat({ max: 9 }),
  pace: fc.constantFrom('paused', 'now', undefined),
});
const places = fc.oneof(
  fc.record({ kind: fc.constant('custom_field'), id: number }),
  fc.record({ kind: fc.constant('laptop') }),
);
const settings = fc.record(
  {
    language: fc.constantFrom(...languages),
    theme: fc.constantFrom('dark', 'light'),
    last_incident: fc.dictionary(number.map(String), number),
    photo_privacy: fc.boolean(),
    photo_size: fc.constantFrom('original', '2560', '1600'),
    photo_places: fc.dictionary(words, places),
    form_fields: fc.dictionary(words, fc.record({ severity: number, where: fc.constant(null) })),
    photo_sending: fc.constantFrom('always', 'good_link', 'by_hand'),
    photo_keep_days: fc.constantFrom(0, 7, 30),
    photo_read_back: fc.boolean(),
    name_people: fc.boolean(),
    global_shortcut: fc.boolean(),
    start_with_system: fc.boolean(),
    when_closed: fc.constantFrom('ask', 'keep_sending', 'end'),
    notices: fc.boolean(),
    spelling: fc.boolean(),
    tour_seen: fc.boolean(),
  },
  { requiredKeys: [] },
);
const queue = fc.record({
  said,
  photos: fc.array(photo, { minLength: 1, maxLength: 3 }),
  attached: fc.option(photo),
  hows: fc.array(how, { minLength: 1, maxLength: 5 }),
  drafts: fc.array(fc.record({ said, photos: fc.array(photo, { maxLength: 2 }) }), {
    maxLength: 2,
  }),
  settings,
});
type Queue = typeof queue extends fc.Arbitrary<infer T> ? T : never;

/** Puts bytes into the spool, under the name and hash of a carried photo. */
const spooled = async (given: Uint8Array, name: string) => {
  const photo_id = ulid();
  const copy = new Uint8Array(given);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', copy));
  const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  host.spool.set(photo_id, { bytes: copy, filename: name, sha256 });
  return { photo_id, size: copy.length, sha256 };
};
const carriedOf = async (given: Photo): Promise<CarriedPhoto> => {
  const { bytes: own, original, max_side, turn, ...facts } = given;
  return {
    ...facts,
    ...(await spooled(own, facts.filename)),
    content_type: 'image/jpeg',
    ...(original === undefined ? {} : { original: await spooled(original, facts.filename) }),
    ...(max_side === undefined
      ? {}
      : {
          edits: { version: 1, shapes: [blur], max_side, turn } as unknown as CarriedPhoto['edits'],
        }),
  } as CarriedPhoto;
};

const recordOf = (key: string, { text, id, flag }: Queue['said']): NearMissRow =>
  rowOf(
    {
      ...owner,
      key,
      server_id: null,
      server: null,
      seen_at: 0,
      fields: {
        ...emptyFields,
        incident_id: id,
        description: text,
        harm_source_id: flag ? id : null,
        custom_fields: {
          custom_field_3: [text, flag],
          // Photo captions: lines with any content.
          custom_field_4: `${text}.jpg (before): ${text}\n${text}\r\n`,
        },
      },
      created_at: THEN,
      updated_at: THEN + id,
      removed_at: flag ? THEN : null,
    },
    null,
  );

const entriesOf = (
  lanes: Lanes,
  { said: one, hows }: Queue,
  photos: readonly CarriedPhoto[],
  attached: CarriedPhoto | null,
): readonly OutboxOperation[] =>
  samplesOf(lanes, one, photos, attached).map((sample, at) => {
    const { state, attempts, pace } = hows[at % hows.length] ?? hows[0] ?? {};
    return {
      ...makeOperation(sample, ACCOUNT, at + 1, THEN + at),
      journaled: 1,
      state: state ?? 'waiting',
      attempts: attempts ?? 0,
      last_problem:
        state === 'parked' ? { kind: 'refused', status: 422, messages: ['No.'], fields: {} } : null,
      checkpoint: notesFor(sample.kind, one),
      ...(pace === undefined ? {} : { photo_pace: pace }),
    } as OutboxOperation;
  });

/** Fills the first laptop's database and spool with a generated queue. */
const fill = async ({ db }: StartedWindow, given: Queue): Promise<void> => {
  const lanes = newLanes();
  const photos = await Promise.all(given.photos.map(carriedOf));
  const attached = given.attached && (await carriedOf(given.attached));
  const operations = entriesOf(lanes, given, photos, attached);
  await db.operations.bulkAdd([...operations]);
  await db.near_misses.bulkAdd(
    [lanes.record, lanes.opened].map((key) => recordOf(key, given.said)),
  );
  const files = operations
    .flatMap(rowsOf)
    .flatMap((one) => (one.table === 'tm_attachments' ? one.row : []));
  await db.tm_attachments.bulkAdd(files);
  const own = { account: ACCOUNT, near_miss_key: lanes.record, draft_id: null, created_at: THEN };
  await db.photos.bulkAdd(photos.map((one) => photoRowOf(one, own)));
  for (const [at, begun] of given.drafts.entries()) {
    const edits = at === 0 ? { id: editDraftId(lanes.record), edits: lanes.record } : {};
    const { description, custom_fields } = recordOf(ulid(), begun.said).fields;
    const draft: DraftRow = {
      id: ulid(),
      ...edits,
      ...owner,
      fields: { description, custom_fields },
      created_at: THEN,
      updated_at: THEN + 5 + at,
    };
    await db.drafts.add(draft);
    for (const one of begun.photos)
      await db.photos.add(
        photoRowOf(await carriedOf(one), {
          account: ACCOUNT,
          near_miss_key: null,
          draft_id: draft.id,
          created_at: THEN,
        }),
      );
  }
};

/** Replaces ids that each laptop generates with the bytes they refer to. */
const named = (value: unknown, laptop: ScriptedHost): unknown => {
  if (Array.isArray(value)) return value.map((one) => named(one, laptop));
  if (typeof value !== 'object' || value === null) return value;
  const { photo_id, attachment_key, ...rest } = value as Record<string, unknown>;
  const bytesOf = (id: unknown) => [...(laptop.spool.get(String(id))?.bytes ?? [])].join(' ');
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, named(one, laptop)])),
    ...(photo_id === undefined ? {} : { photo_bytes: bytesOf(photo_id) }),
    ...(attachment_key === undefined ? {} : { attached: bytesOf(attachment_key) }),
  };
};

/** The checkpoint fields that another laptop resumes from: all that the kind declares portable, and each has a value here. */
const carried = ({ kind, checkpoint }: OutboxOperation) =>
  Object.entries(traitsOf(kind)?.portable ?? {}).flatMap(([name, goes]) => {
    expect(goes && checkpoint[name] === undefined, `${kind} notes ${name}`).toBe(false);
    return goes ? [[name, checkpoint[name]]] : [];
  });

const entryAs = (operation: OutboxOperation, laptop: ScriptedHost) => ({
  id: operation.id,
  kind: operation.kind,
  version: operation.version,
  lane: operation.lane,
  created_at: operation.created_at,
  payload: named(operation.payload, laptop),
  photo_pace: operation.photo_pace,
  last_problem: operation.last_problem,
  // An operation that was being sent may have arrived: it becomes `waiting`, with that attempt counted.
  state: operation.state === 'sending' ? 'waiting' : operation.state,
  attempts: operation.state === 'sending' ? Math.max(operation.attempts, 1) : operation.attempts,
  notes: carried(operation),
});

/** Everything a laptop holds of a queue, in a form comparable with another laptop's. */
const held = async ({ db }: StartedWindow, laptop: ScriptedHost) => {
  const drafts = (await db.drafts.toArray()).sort((a, b) => a.updated_at - b.updated_at);
  const place = new Map(drafts.map(({ id }, at) => [id, at]));
  const photos = await db.photos.orderBy('photo_id').toArray();
  const files = await db.tm_attachments.toArray();
  return {
    operations: (await db.operations.orderBy('id').toArray()).map((operation) =>
      entryAs(operation, laptop),
    ),
    order: (await db.operations.toArray()).sort((a, b) => a.seq - b.seq).map(({ id }) => id),
    records: (await db.near_misses.orderBy('key').toArray()).map(
      ({ seen_at: _seen_at, ...row }) => row,
    ),
    drafts: drafts.map(({ id, ...draft }) => ({
      ...draft,
      id: draft.edits === undefined ? 'new' : id,
    })),
    photos: photos.map(({ draft_id, ...row }) => ({
      ...(named(row, laptop) as object),
      draft: place.get(draft_id ?? ''),
    })),
    files: files.map(({ key, ...row }) => ({ ...row, file: named({ photo_id: key }, laptop) })),
  };
};

const empty = async ({ db }: StartedWindow, laptop: ScriptedHost): Promise<void> => {
  for (const table of db.tables) if (table.name !== 'meta') await table.clear();
  for (const kept of [laptop.journal, laptop.spool, laptop.drafts]) kept.clear();
};

const PATIENCE = 120_000 + RUNS * 10_000;
it(
  'a file of everything gives another laptop every field and every byte of it',
  { timeout: PATIENCE },
  async () => {
    const other = new ScriptedHost(host);
    host.up = other.up = false;
    const first = await windows.start(host);
    const second = await windows.start(other, `${windows.db_name}-other`);
    await first.engine.stop();
    await second.engine.stop();
    await fc.assert(
      fc.asyncProperty(queue, async (given) => {
        await empty(first, host);
        await empty(second, other);
        await fill(first, given);
        const waits = await first.db.operations.toArray();
        const kinds = new Set(waits.map(({ kind, version }) => `${kind} ${version}`));
        expect([...kinds].sort()).toEqual(
          knownVersions.map(({ kind, version }) => `${kind} ${version}`).sort(),
        );
        const settings = settingsSchema.parse(given.settings);
        const { response } = await exportEverything(first, ACCOUNT, settings, files);
        const offer = await offerImport(await response.blob(), owner);
        if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
        expect(offer.value.settings).toEqual(settings);
        const all = { waiting: true, drafts: true, allowed: askedKinds };
        const done = await importItems(second, offer.value, ACCOUNT, all);
        offer.value.file.close();
        if (!done.ok) throw new Error(JSON.stringify(done.problem));
        expect(await held(second, other)).toEqual(await held(first, host));
        expect(other.spool.size).toBe(host.spool.size);
        expect(other.journal.size).toBe(waits.length);
        expect(other.drafts.size).toBe(given.drafts.length);
      }),
      { numRuns: RUNS },
    );
  },
);
