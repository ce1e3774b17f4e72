/**
 * What a window may ask of the host, and the events it may hear: one closed table. A carrier (Electron IPC, or
 * HTTP on loopback) moves `{method, input, bytes}` and parses both sides with these schemas; adding a method is a
 * line here and a function in host/, never a line in a carrier (carrier.ts). REST resources need no line at all: `rest.request`.
 */
import { z } from 'zod';
import { openedKey, windowAsk, windowReport } from './asks.ts';
import { entryAttachment } from './rest/attachments.ts';
import { me } from './rest/me.ts';
import { phoneNetwork, phoneView } from './phone.ts';
import { nearMiss } from './rest/near-misses.ts';
import { paging } from './rest/paging.ts';
import { desktopDeed, desktopView } from './desktop.ts';
import { linkSchema } from './rich-text.ts';
import { windowAnswer } from './self-test.ts';
import { photoPlace, settingsChange, settingsSchema } from './settings.ts';

/** A 26-character ULID: ids are made before anything is written. */
export const ulidSchema = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const positive = z.number().int().positive();
const nothing = z.object({});

/** A daily copy of the database of this laptop's own service. */
export const serviceCopy = z.object({
  name: z.string().regex(/^spotter-\d{4}-\d\d-\d\d\.db$/),
  /** Milliseconds since the epoch. */
  made_at: z.number().int(),
  bytes: z.number().int(),
});
export type ServiceCopy = z.infer<typeof serviceCopy>;

/** Only as this account: where another is signed in by now, the host answers `cancelled` and sends nothing (failures A9). */
const asAccount = z.string().max(500).optional();

/** How the token is kept. `keychain` survives a restart; `memory` ends with the program, and the window says so. */
export const vaultView = z.object({
  kind: z.enum(['keychain', 'memory']),
  /** Of the keychain: why it is not used, or `ok`. asking: no answer yet, the system may be asking its user. */
  state: z.enum(['ok', 'absent', 'locked', 'asking', 'hung', 'denied']),
});
export type VaultView = z.infer<typeof vaultView>;

/** The session as the window may see it: never the token. */
export const sessionView = z.object({
  /**
   * none: never connected. ready: requests can be made. signed_out: a token is needed (it was refused, or the user
   * signed out). locked: the keychain holds the token but is locked or hung; the queue waits, nothing is lost.
   */
  state: z.enum(['none', 'ready', 'signed_out', 'locked']),
  /** this_laptop: its sample data. own_firm: real work on this laptop alone, in a service and an account of its own. */
  kind: z.enum(['this_laptop', 'own_firm', 'server']).nullable(),
  /** `https://host:port`, null for this laptop's own services. */
  address: z.string().nullable(),
  /**
   * Stable name of server + company + user: what owns a queued entry. The embedded service's does not change with
   * its port. Null while state is none.
   */
  account: z.string().nullable(),
  /** Of this and the project the name is empty where the server tells none. */
  company: z.object({ id: positive, name: z.string() }).nullable(),
  project: z.object({ id: positive, name: z.string() }).nullable(),
  user: z.object({ id: positive, name: z.string(), login: z.string() }).nullable(),
  vault: vaultView,
});
export type SessionView = z.infer<typeof sessionView>;

const called = z.string().trim().min(1).max(255);
/** What the firm of this laptop is called, and who works for it. */
export const firmNames = z.object({ company: called, project: called, user: called });
export type FirmNames = z.infer<typeof firmNames>;

export const connectInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('this_laptop') }),
  /** `names`: where there is none yet, so that it is made. */
  z.object({ kind: z.literal('own_firm'), names: firmNames.optional() }),
  z.object({
    kind: z.literal('server'),
    address: z.string().max(2000),
    company_id: positive,
    project_id: positive,
    token: z.string().min(1).max(1200),
  }),
]);
export type ConnectInput = z.infer<typeof connectInput>;

/** A photo as the spool knows it, after every byte is on disk. */
export const photoFacts = z.object({
  photo_id: ulidSchema,
  filename: z.string(),
  /** By its first bytes, not by its name. */
  content_type: z.string(),
  size: z.number().int().nonnegative(),
  sha256: z.string(),
});
export type PhotoFacts = z.infer<typeof photoFacts>;

/** What was checked on the server after a photo was sent. */
export const photoReceipt = z.object({
  photo_id: ulidSchema,
  /** Null where the server has no attachment to name: in a custom field. */
  attachment_id: positive.nullable(),
  /** Where it is; left out: on the near miss. */
  place: photoPlace.optional(),
  /**
   * `bytes`, or left out: read back from the server and found equal to the original. `named`: the record names the upload
   * and the server has the upload; nothing could be read back.
   */
  checked: z.enum(['bytes', 'named']).optional(),
  filename: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  /** The host's clock, corrected by the server's, milliseconds since the epoch. */
  checked_at: z.number(),
});
export type PhotoReceipt = z.infer<typeof photoReceipt>;

/** Where a photo or file is to be delivered. */
export const photoTarget = z.discriminatedUnion('kind', [
  /** Onto a near miss [ours: decisions §3.7]. `not_uploads`: they are other photos of it, perhaps with the same bytes. */
  z.object({
    kind: z.literal('near_miss'),
    id: positive,
    not_uploads: z.array(z.string().max(200)).max(10_000),
  }),
  /** Attached to a time-and-material entry. `not_attachments`: they are other files, perhaps with the same name and bytes. */
  z.object({
    kind: z.literal('time_and_material_entry'),
    id: positive,
    not_attachments: z.array(positive).max(10_000),
  }),
  /** Named, by its upload's uuid, in the text of this custom field of a near miss. */
  z.object({ kind: z.literal('custom_field'), id: positive, near_miss_id: positive }),
]);
export type PhotoTarget = z.infer<typeof photoTarget>;

/** What became of a delivery that did not fail. */
export const delivery = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('delivered'),
    /** Null where an earlier try did it, and nobody knows under which upload. */
    upload_uuid: z.string().nullable(),
    receipt: photoReceipt,
    /** The record as the answer that hung it on had it; null where an earlier try did it. */
    near_miss: nearMiss.nullable(),
    attachment: entryAttachment.nullable(),
  }),
  /** The server took the change and said nothing of photos: it knows none on near misses. */
  z.object({ outcome: z.literal('takes_no_photos') }),
]);
export type Delivery = z.infer<typeof delivery>;

/**
 * One queued write as the journal keeps it: enough to rebuild the window's queue when IndexedDB is gone.
 * `payload` and `record` are the window's own; the host keeps them as they are.
 */
export const journalEntry = z.object({
  /** The entry's ULID = its idempotency key. */
  id: ulidSchema,
  /** Order of entry on this laptop: counts up, independent of the clock. */
  seq: z.number().int().nonnegative(),
  account: z.string().min(1).max(500),
  kind: z.string().min(1).max(100),
  version: positive,
  lane: z.string().min(1).max(200),
  created_at: z.number(),
  payload: z.unknown(),
  /** The local record the entry belongs to, as a snapshot to show it again. */
  record: z.unknown().optional(),
  /** A person took it in from a file: it waits, even where an entry of this id was settled before. */
  again: z.literal(true).optional(),
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** A local id and the id the server gave it: later entries of the lane need it. */
export const idLink = z.object({ local_id: z.string().min(1).max(200), server_id: positive });
export type IdLink = z.infer<typeof idLink>;

/** A near miss begun, or an unfinished edit, as the journal keeps it: it outlives the profile it was typed in. */
export const journalDraft = z.object({
  id: z.string().min(1).max(300),
  account: z.string().min(1).max(500),
  /** Larger with every change, whichever window made it: the state that knows more counts. */
  at: z.number(),
  /** The window's own, kept as they are: its row, and the rows of its photos, whose originals are in the spool. */
  draft: z.unknown(),
  photos: z.array(z.unknown()).max(10_000),
});
export type JournalDraft = z.infer<typeof journalDraft>;

/** A draft that was saved or thrown away, and the state it was in: what is no newer never comes back. */
export const endedDraft = journalDraft.pick({ id: true, at: true });
export type EndedDraft = z.infer<typeof endedDraft>;

const method = <
  I extends z.ZodType,
  O extends z.ZodType,
  const B extends 'none' | 'in' | 'out' = 'none',
>(
  input: I,
  output: O,
  bytes: B = 'none' as B,
) => ({ input, output, bytes });

/** Most bytes of one `photos.write` and one `photos.read`. */
export const CHUNK_MAX = 4 * 1024 * 1024;

const attachmentWanted = {
  variant: z.enum(['thumbnail', 'full']),
  offset: z.number().int().nonnegative().default(0),
};
const attachmentPart = z.object({
  content_type: z.string(),
  filename: z.string(),
  /** Bytes of the whole. */
  size: z.number().int(),
});

export const hostMethods = {
  /** Versions and where the app runs, for diagnostics. */
  'app.info': method(
    nothing,
    z.object({
      version: z.string(),
      shell: z.enum(['electron', 'browser', 'test']),
      platform: z.string(),
      node: z.string(),
      /** The address the connect screen offers first (`--server`), null: this laptop. */
      default_server: z.string().nullable().default(null),
      /** The port this window had before, where another program has it now: it answers on another one meanwhile. */
      port_taken: z.number().int().nullable().default(null),
      /** Can this app start a service of its own? */
      embedded: z.boolean().default(true),
      /** Was a firm of this laptop's own made? */
      own_firm: z.boolean().default(false),
    }),
  ),

  /**
   * For "Copy diagnostics" and the settings: what the journal takes, in bytes, and what the host had to say lately, newest
   * last. Messages are the program's own sentences and codes the system's: no token, address, name or text of a record.
   */
  'app.diagnostics': method(
    nothing,
    z.object({
      journal: z.object({ bytes: z.number().int(), entries: z.number().int() }),
      said: z.array(
        z.object({
          at: z.number(),
          level: z.enum(['warn', 'error']),
          message: z.string(),
          code: z.string(),
        }),
      ),
    }),
  ),

  /** Bytes that an ordinary user may still write on the disk of the data folder. Null: it does not say. */
  'app.disk': method(nothing, z.object({ free: z.number().int().nullable() })),

  /**
   * How the window found its database, said at every start. `broken`: it is about to be deleted and made anew; `lost`:
   * it opened with less than the journal has. Then the copy made before this start is kept (failures A19); `kept` is
   * its folder, null where there is none. `broken` on a full disk is refused with `no_space`: do not delete it then.
   */
  'database.report': method(
    z.object({ state: z.enum(['healthy', 'lost', 'broken']) }),
    z.object({ kept: z.string().nullable() }),
  ),

  /** What was asked of the window from outside it since it last took it; an event `asked` says that there is something. */
  'asks.take': method(nothing, z.object({ asks: z.array(windowAsk) })),
  /** Of the file that an ask `import` names: at most CHUNK_MAX bytes from `offset`; none at its end. `size`: of the whole. */
  'opened.read': method(
    z.object({
      key: openedKey,
      offset: z.number().int().nonnegative(),
      length: positive.max(CHUNK_MAX),
    }),
    z.object({ size: z.number().int() }),
    'out',
  ),
  /** What the window's queue holds now: for the tray, the dock, and the question at closing. */
  'window.report': method(windowReport, nothing),
  /** Hands a link to the system's own browser, mail or phone program. `opened: false`: the system has none for it. */
  'links.open': method(z.object({ href: linkSchema }), z.object({ opened: z.boolean() })),

  /**
   * A window opened at this origin. `known` false: none did before, on this data folder; a database that is empty there was
   * never filled, and nothing was lost.
   */
  'database.place': method(
    z.object({ origin: z.string().max(200) }),
    z.object({ known: z.boolean() }),
  ),

  /** What the desktop program tells of itself; null in the browser shell. */
  'desktop.get': method(nothing, z.object({ desktop: desktopView.nullable() })),
  /** Asks something of the desktop program. What comes of it is told by `desktop.changed`. */
  'desktop.do': method(z.object({ what: desktopDeed }), nothing),
  /** An answer of the window's in a self-test; nobody hears it in any other run. */
  'self_test.tell': method(z.object({ answer: windowAnswer }), nothing),

  'session.get': method(nothing, sessionView),
  /** Asks a server whose token this is. `me` is null where the server lacks `/rest/v1.0/me` [ours] but the token works. */
  'session.try': method(
    z.object({ address: z.string().max(2000), token: z.string().max(1200), company_id: positive }),
    z.object({ address: z.string(), me: me.nullable() }),
  ),
  'session.connect': method(connectInput, sessionView),
  'session.choose_project': method(z.object({ project_id: positive }), sessionView),
  /** Forgets the token. The queue and everything seen stay on this laptop, for this account only. */
  'session.sign_out': method(nothing, sessionView),
  /** Tries the keychain again (it was locked, hung or denied). */
  'session.unlock': method(nothing, sessionView),

  /** The copies that this laptop's own service keeps of its database, newest first. For a session on this laptop only. */
  'copies.list': method(nothing, z.object({ copies: z.array(serviceCopy) })),
  /**
   * Stops this laptop's own service, puts a copy in the place of its database, starts it again. What was there before is kept in
   * `replaced`, a folder in the service's data folder. Requests meanwhile are `offline`; the queue waits. `running`: it is up again.
   */
  'copies.restore': method(
    serviceCopy.pick({ name: true }),
    z.object({ replaced: z.string(), running: z.boolean() }),
  ),

  'settings.get': method(nothing, settingsSchema),
  'settings.set': method(settingsChange, settingsSchema),

  /** The one door for REST: `endpoint` is a name of contract/rest, never an address. */
  'rest.request': method(
    z.object({
      endpoint: z.string().max(100),
      account: asAccount,
      input: z.object({
        params: z.record(z.string(), z.union([z.string(), z.number()])),
        query: z.record(z.string(), z.unknown()).optional(),
        body: z.unknown().optional(),
        idempotency_key: ulidSchema.optional(),
        if_match: z.string().max(200).optional(),
        if_none_match: z.string().max(200).optional(),
      }),
    }),
    z.object({
      status: z.number().int(),
      data: z.unknown().optional(),
      paging: paging.nullable(),
      etag: z.string().nullable(),
      replayed: z.boolean(),
      server_time: z.number().nullable(),
    }),
  ),
  /** Does the service answer, and does the token still count? A small request, never queued. */
  'reach.check': method(nothing, z.object({ server_time: z.number().nullable() })),

  /** Networks of this laptop on which a phone may reach it, the likeliest first; none where this program has no page for phones. */
  'phone.networks': method(nothing, z.object({ networks: z.array(phoneNetwork).max(50) })),
  /**
   * Listens for one phone on that network's address, for as long as a window asks `phone.get` once in a while, and answers the address to
   * show as a code; null: the system did not let it listen. What was open before is closed.
   */
  'phone.open': method(
    phoneNetwork.pick({ address: true }),
    z.object({ code: z.uuid(), url: z.string() }).nullable(),
  ),
  'phone.get': method(nothing, phoneView),
  /** Ends this code, or whichever is shown. */
  'phone.close': method(z.object({ code: z.uuid().optional() }), nothing),
  /** Of a file that came whole from the phone, as `opened.read`. `file`: its place among the view's files. */
  'phone.read': method(
    z.object({
      code: z.uuid(),
      file: z.number().int().nonnegative(),
      offset: z.number().int().nonnegative(),
      length: positive.max(CHUNK_MAX),
    }),
    z.object({ size: z.number().int() }),
    'out',
  ),
  /** What became of it: the phone is told, and this copy of it goes. */
  'phone.took': method(
    z.object({
      code: z.uuid(),
      file: z.number().int().nonnegative(),
      state: z.enum(['kept', 'there', 'asks', 'refused']),
    }),
    nothing,
  ),

  /**
   * Opens a photo for writing. Begun again with the same id, it starts over; an id whose bytes are here already, or that the
   * journal names, takes no other bytes: `bad_input` with `file_known`. `size` in bytes where it is known.
   */
  'photos.begin': method(
    z.object({
      photo_id: ulidSchema,
      filename: z.string().max(1000),
      size: z.number().int().nonnegative().nullable(),
      /** `attachment`: any file, for a time-and-material entry. Left out: photos and videos, everything else is refused. */
      purpose: z.enum(['photo', 'attachment']).optional(),
    }),
    nothing,
  ),
  /** Appends bytes at `offset`, which must be what was received so far. */
  'photos.write': method(
    z.object({ photo_id: ulidSchema, offset: z.number().int().nonnegative() }),
    z.object({ received: z.number().int() }),
    'in',
  ),
  /** Everything is on disk (fsync) and hashed; or the photo is refused with the reason, and what was there before stays. */
  'photos.finish': method(z.object({ photo_id: ulidSchema }), photoFacts),
  /** Drops a photo that no queued entry needs. One still named in the journal goes when it is not: answers `dropped: false`. */
  'photos.discard': method(z.object({ photo_id: ulidSchema }), z.object({ dropped: z.boolean() })),
  /** Reads the original back, at most CHUNK_MAX bytes a call. */
  'photos.read': method(
    z.object({
      photo_id: ulidSchema,
      offset: z.number().int().nonnegative(),
      length: positive.max(CHUNK_MAX),
    }),
    z.object({ size: z.number().int(), content_type: z.string() }),
    'out',
  ),
  /**
   * Creates the upload, sends what the server lacks, completes it. Checkpoints after each step: called again after
   * any crash it goes on. Past the hour or the week it starts a new upload by itself. Progress comes as events.
   */
  'photos.upload': method(
    z.object({ photo_id: ulidSchema, company_id: positive, account: asAccount }),
    z.object({ upload_uuid: z.string() }),
  ),
  /**
   * Brings a photo or file to where it belongs: uploads it, hangs the upload on, reads it back, and begins anew where the
   * upload is over (failures A11, A12). The one checkpoint is the host's: called again after any crash, it goes on. Two calls for one
   * photo are one delivery. `key`: the idempotency key of what hangs it on; another one is another attempt by a person.
   * `unsure`: nobody knows how far an earlier try got, so that what is there is looked for first, by its bytes.
   * `gone`: the record is not there (404), or holds other bytes (200).
   */
  'photos.deliver': method(
    z.object({
      photo_id: ulidSchema,
      company_id: positive,
      project_id: positive,
      to: photoTarget,
      key: ulidSchema,
      unsure: z.boolean(),
      /** The photo it was made from: kept and dropped together. */
      original: ulidSchema.optional(),
      account: asAccount,
    }),
    delivery,
  ),
  /** How far a photo's delivery is. */
  'photos.delivery': method(
    z.object({ photo_id: ulidSchema }),
    z.object({
      /** Of the upload begun for it: segments that the server has acknowledged; 0 where none was begun. */
      segments: z.number().int(),
      /** All its bytes are on the server. */
      uploaded: z.boolean(),
      /** `maybe`: it was tried, and the answer is not known. */
      hung: z.enum(['no', 'maybe', 'yes']),
    }),
  ),
  'photos.cancel': method(z.object({ photo_id: ulidSchema }), nothing),
  /** What the spool holds: photos, their bytes on the disk, and of both what was delivered and may go when it was kept long enough. */
  'photos.usage': method(
    nothing,
    z.object({
      photos: z.number().int(),
      bytes: z.number().int(),
      delivered_photos: z.number().int(),
      delivered_bytes: z.number().int(),
      /** What removing delivered ones has freed since this data folder was made: files and their bytes. */
      freed: z.object({ files: z.number().int(), bytes: z.number().int() }),
    }),
  ),
  /**
   * The window's database `store` knows these photos (drafts' and queued ones, delivered ones, originals) and no others. What
   * no database claims, no queued entry names and is older than 30 days leaves the spool; answers how many.
   */
  'photos.claim': method(
    z.object({ store: ulidSchema, photo_ids: z.array(ulidSchema).max(200_000) }),
    z.object({ dropped: z.number().int() }),
  ),
  /** Forgets the upload begun for a photo (its bytes stay): the next `photos.deliver` starts a new one. */
  'photos.restart': method(z.object({ photo_id: ulidSchema }), nothing),
  /**
   * Looks for a file of this laptop among the attachments of a time-and-material entry, by name and bytes, read back from the server,
   * without `except`; null where there is none.
   */
  'photos.find_attachment': method(
    z.object({
      photo_id: ulidSchema,
      project_id: positive,
      time_and_material_entry_id: positive,
      except: z.array(positive).max(10_000),
      account: asAccount,
    }),
    z.object({ attachment_id: positive.nullable() }),
  ),
  /**
   * A photo, video or other file that the server has, for showing or saving. `thumbnail`: a picture, whole. `full`: from byte
   * `offset` on, at most CHUNK_MAX bytes of `size` where the server gives parts (else all of it, up to 64 MB). At offset 0 the type
   * is a picture's or a video's by its own bytes, or `application/octet-stream`, which is saved and never shown; what is called a
   * picture and is none fails. Later parts are octets.
   */
  'photos.attachment': method(
    z.object({
      project_id: positive,
      /** Null: a file of a time-and-material entry. A thumbnail is `gone` where the server has none of such a file. */
      near_miss_id: positive.nullable(),
      attachment_id: positive,
      ...attachmentWanted,
    }),
    attachmentPart,
    'out',
  ),

  /** Appends and fsyncs. Only after this answers may the window say "saved on this laptop". Same id again: no second line. */
  'journal.append': method(z.object({ entries: z.array(journalEntry).min(1).max(200) }), nothing),
  /** The entry's outcome is in the window's database: forget it, remember the ids it brought. */
  'journal.settle': method(
    z.object({ entry_ids: z.array(ulidSchema).min(1).max(200), links: z.array(idLink).max(200) }),
    nothing,
  ),
  /** Which of these entries are settled: in this window's database they may wait still, when another window sent them. */
  'journal.settled': method(
    z.object({ entry_ids: z.array(ulidSchema).max(1_000) }),
    z.object({ entry_ids: z.array(ulidSchema) }),
  ),
  /** Keeps drafts as they are now and forgets those that ended. Fsynced. A state that is older than what is kept changes nothing. */
  'drafts.keep': method(
    z.object({
      drafts: z.array(journalDraft).max(200),
      ended: z.array(endedDraft).max(200),
    }),
    nothing,
  ),
  'drafts.list': method(
    nothing,
    z.object({ drafts: z.array(journalDraft), ended: z.array(endedDraft) }),
  ),
  /** Everything not settled, in order of `seq`, and every id link that an entry's lane may still need. */
  'journal.list': method(
    nothing,
    z.object({
      entries: z.array(journalEntry),
      links: z.array(idLink),
      /** Lines that could not be read, and unfinished ends of the file: both are kept beside the journal. */
      damaged: z.number().int(),
      unfinished: z.number().int(),
      /** Of lanes whose newest entry is settled while older ones wait: its `record`. */
      records: z.array(z.object({ lane: z.string(), record: z.unknown() })),
    }),
  ),
} as const;

export type HostMethods = typeof hostMethods;
export type HostMethod = keyof HostMethods;
export type HostInput<M extends HostMethod> = z.input<HostMethods[M]['input']>;
export type HostParsed<M extends HostMethod> = z.output<HostMethods[M]['input']>;
export type HostOutput<M extends HostMethod> = z.output<HostMethods[M]['output']>;
/** Did the method's bytes leave the host? Then the answer is a pair. */
export type HostAnswer<M extends HostMethod> = HostMethods[M]['bytes'] extends 'out'
  ? { readonly output: HostOutput<M>; readonly bytes: Uint8Array<ArrayBuffer> }
  : HostOutput<M>;

/** What the host tells every window, unasked. For showing only: no control flow hangs on an event. */
export const hostEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session.changed'), session: sessionView }),
  z.object({ kind: z.literal('settings.changed'), settings: settingsSchema }),
  z.object({
    kind: z.literal('photo.progress'),
    photo_id: ulidSchema,
    step: z.enum(['hashing', 'creating', 'sending', 'completing', 'attaching', 'verifying']),
    /** Bytes the server has acknowledged. */
    sent: z.number().int(),
    size: z.number().int(),
  }),
  /** Something was asked of the window from outside it: `asks.take` has it (the desktop program only). */
  z.object({ kind: z.literal('asked') }),
  z.object({ kind: z.literal('desktop.changed'), desktop: desktopView }),
  z.object({ kind: z.literal('desktop.asked'), what: desktopDeed }),
  z.object({ kind: z.literal('window.reported'), report: windowReport }),
  z.object({ kind: z.literal('self_test.told'), answer: windowAnswer }),
  /** Something changed about the phone: `phone.get` has it. */
  z.object({ kind: z.literal('phone.changed') }),
  /** The embedded service came up or went down. */
  z.object({ kind: z.literal('service.state'), running: z.boolean(), detail: z.string() }),
]);
export type HostEvent = z.infer<typeof hostEvent>;
