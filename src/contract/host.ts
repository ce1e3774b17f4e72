/**
 * The closed table of host methods and events. A carrier (Electron IPC, or HTTP on loopback) moves `{method, input, bytes}` and
 * validates both sides with these schemas. To add a method, add a line here and a function in host/; carriers never change
 * (carrier.ts). REST resources need no line here: see `rest.request`.
 */
import { z } from 'zod';
import { openedKey, windowAsk, windowReport } from './asks.ts';
import { level } from './rest/access/levels.ts';
import { entryAttachment } from './rest/attachments.ts';
import { me } from './rest/me.ts';
import { boxOutcome, boxReport, boxView } from './phone/box.ts';
import { BOX_PHOTOS_MAX } from './phone/box-limits.ts';
import { phoneNetwork, phoneView } from './phone/phone.ts';
import { nearMiss } from './rest/near-misses.ts';
import { paging } from './rest/protocol/paging.ts';
import { desktopDeed, desktopView } from './desktop.ts';
import { languages } from './languages.ts';
import { NO_POLICY, policyView } from './policy.ts';
import { linkSchema } from './text/rich-text.ts';
import { windowAnswer } from './self-test.ts';
import { photoPlace, settingsChange, settingsSchema } from './settings.ts';

/** A 26-character ULID: ids are made before anything is written. */
export const ulidSchema = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const positive = z.number().int().positive();
const nothing = z.object({});

/** A daily copy of the embedded service's database. */
export const serviceCopy = z.object({
  name: z.string().regex(/^spotter-\d{4}-\d\d-\d\d\.db$/),
  /** Milliseconds since the epoch. */
  made_at: z.number().int(),
  bytes: z.number().int(),
});
export type ServiceCopy = z.infer<typeof serviceCopy>;

/** Sends only as this account. If another is signed in by now, answers `cancelled` and sends nothing (failures A9). */
const asAccount = z.string().max(500).optional();

/** Storage of the token. `keychain` survives a restart; `memory` ends with the program, and the window says so. */
const vaultView = z.object({
  kind: z.enum(['keychain', 'memory']),
  /**
   * State of the keychain: `ok`, or the reason why it is not used. asking: no response yet, the system may be asking its user.
   */
  state: z.enum(['ok', 'absent', 'locked', 'asking', 'hung', 'denied']),
});
export type VaultView = z.infer<typeof vaultView>;

const named = z.object({ id: positive, name: z.string() });
const signedIn = z.object({ id: positive, name: z.string(), login: z.string() });

/** The session as the window sees it: never the token. */
export const sessionView = z.object({
  /**
   * none: never connected. ready: requests can be made. signed_out: a token is needed, because it was refused or the user signed
   * out. locked: the keychain holds the token but is locked or hung; the queue is paused and nothing is lost.
   */
  state: z.enum(['none', 'ready', 'signed_out', 'locked']),
  /** this_laptop: sample data. local_company: real work on this laptop only, with a separate service and account. */
  kind: z.enum(['this_laptop', 'local_company', 'server']).nullable(),
  /** `https://host:port`; null for embedded services. */
  address: z.string().nullable(),
  /**
   * Stable name of server + company + user; queued operations belong to it. The embedded service's name does not depend on its
   * port. Null while state is none.
   */
  account: z.string().nullable(),
  /** The names of company and project are empty if the server sends none. */
  company: named.nullable(),
  project: named.nullable(),
  user: signedIn.nullable(),
  /** What the user may do in the company (decisions §12.2), also offline; null on a server without levels. */
  level: level.nullable().default(null),
  /** The issuer that the user signed in with (decisions §12.9); null for a token or a code. */
  signed_in_with: z.string().nullable().default(null),
  vault: vaultView,
  /** Other server accounts used since the program started. Returning to one needs no token. */
  left: z.array(
    z.object({
      account: z.string(),
      address: z.string().nullable(),
      company: named.nullable(),
      project: named.nullable(),
      user: signedIn.nullable(),
    }),
  ),
});
export type SessionView = z.infer<typeof sessionView>;

const called = z.string().trim().min(1).max(255);
/** Names of the company, project and user of a local company. */
const companyNames = z.object({ company: called, project: called, user: called });
export type CompanyNames = z.infer<typeof companyNames>;

/** An enrolment code of a server (decisions §12.5), as it was typed. */
const typedCode = { address: z.string().max(2000), code: z.string().max(100) };

const connectInput = z.discriminatedUnion('kind', [
  /** `level`: as the sample data's user of that level, otherwise as its admin. */
  z.object({ kind: z.literal('this_laptop'), level: level.optional() }),
  /** `names`: creates the local company if it does not exist yet. */
  z.object({ kind: z.literal('local_company'), names: companyNames.optional() }),
  z.object({
    kind: z.literal('server'),
    address: z.string().max(2000),
    company_id: positive,
    project_id: positive,
    token: z.string().min(1).max(1200),
  }),
  /**
   * With an enrolment code instead of a token and a company. The code is exchanged now, unless `session.enrol` has done
   * so.
   */
  z.object({ kind: z.literal('code'), ...typedCode, project_id: positive }),
  /** With the sign-in that `session.sign_in` completed at this address. */
  z.object({
    kind: z.literal('sign_in'),
    address: z.string().max(2000),
    company_id: positive,
    project_id: positive,
  }),
  /** Returns to an account of `left` and its project, without asking the server. */
  z.object({ kind: z.literal('left'), account: z.string().max(500) }),
]);
export type ConnectInput = z.infer<typeof connectInput>;

/** A photo in the spool, after every byte is on disk. */
export const photoFacts = z.object({
  photo_id: ulidSchema,
  filename: z.string(),
  /** Detected by its first bytes, not by its name. */
  content_type: z.string(),
  size: z.number().int().nonnegative(),
  sha256: z.string(),
});
export type PhotoFacts = z.infer<typeof photoFacts>;

/** Proof of what was verified on the server after a photo was sent. */
const photoReceipt = z.object({
  photo_id: ulidSchema,
  /** Null for a photo named in a custom field, which has no attachment. */
  attachment_id: positive.nullable(),
  /** Destination of the photo; absent: the near miss. */
  place: photoPlace.optional(),
  /**
   * `bytes` or absent: read back from the server and found equal to the original. `proof`: the server proved with a fresh nonce
   * that it holds these bytes (decisions §5.10). `named`: the record names the upload and the server has the upload, but nothing
   * could be read back.
   */
  checked: z.enum(['bytes', 'proof', 'named']).optional(),
  filename: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  /** The host's clock corrected by the server's, in milliseconds since the epoch. */
  checked_at: z.number(),
});
export type PhotoReceipt = z.infer<typeof photoReceipt>;

export const photoTarget = z.discriminatedUnion('kind', [
  /**
   * Attached to a near miss [ours: decisions §3.7]. `not_uploads` are uploads of its other photos, which may have the same bytes.
   */
  z.object({
    kind: z.literal('near_miss'),
    id: positive,
    not_uploads: z.array(z.string().max(200)).max(10_000),
  }),
  /** Attached to a time-and-material entry. `not_attachments` are its other files, which may have the same name and bytes. */
  z.object({
    kind: z.literal('time_and_material_entry'),
    id: positive,
    not_attachments: z.array(positive).max(10_000),
  }),
  /** The upload's uuid is written into the text of this custom field of a near miss. */
  z.object({ kind: z.literal('custom_field'), id: positive, near_miss_id: positive }),
]);
export type PhotoTarget = z.infer<typeof photoTarget>;

/** Result of a delivery that did not fail. */
const delivery = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('delivered'),
    /** Null if an earlier attempt delivered it under an unknown upload. */
    upload_uuid: z.string().nullable(),
    receipt: photoReceipt,
    /** The record in the response that attached the photo; null if an earlier attempt attached it. */
    near_miss: nearMiss.nullable(),
    attachment: entryAttachment.nullable(),
  }),
  /** The server accepted the change but its response has no photos: it does not support photos on near misses. */
  z.object({ outcome: z.literal('takes_no_photos') }),
]);
export type Delivery = z.infer<typeof delivery>;

/**
 * One queued operation in the journal: enough to rebuild the window's queue if IndexedDB is lost. The host stores `payload` and
 * `record` without reading them.
 */
export const journalEntry = z.object({
  /** The operation's ULID, which is also its idempotency key. */
  id: ulidSchema,
  /** Order of creation on this laptop. It only increases and does not depend on the clock. */
  seq: z.number().int().nonnegative(),
  account: z.string().min(1).max(500),
  kind: z.string().min(1).max(100),
  version: positive,
  lane: z.string().min(1).max(200),
  created_at: z.number(),
  payload: z.unknown(),
  /** Snapshot of the operation's local record, to display it after a rebuild. */
  record: z.unknown().optional(),
  /** A person imported it from a file: it is queued even if an operation with this id was settled before. */
  again: z.literal(true).optional(),
});
export type JournalOperation = z.infer<typeof journalEntry>;

/** A local id and its server id. Later operations of the lane need it. */
export const idLink = z.object({ local_id: z.string().min(1).max(200), server_id: positive });
export type IdLink = z.infer<typeof idLink>;

/** An unsaved near miss or unfinished edit in the journal. It survives the loss of the browser profile it was typed in. */
export const journalDraft = z.object({
  id: z.string().min(1).max(300),
  account: z.string().min(1).max(500),
  /** Version number that grows with every change in any window. The higher version wins. */
  at: z.number(),
  /** Stored without reading: the draft's row, and the rows of its photos, whose originals are in the spool. */
  draft: z.unknown(),
  photos: z.array(z.unknown()).max(10_000),
});
export type JournalDraft = z.infer<typeof journalDraft>;

/** The version at which a draft was saved or discarded. This version and older ones never come back. */
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

/** Maximum bytes of one `photos.write` or `photos.read`. */
export const CHUNK_MAX = 4 * 1024 * 1024;

const attachmentWanted = {
  variant: z.enum(['thumbnail', 'full']),
  offset: z.number().int().nonnegative().default(0),
};
const attachmentPart = z.object({
  content_type: z.string(),
  filename: z.string(),
  /** Bytes of the whole file. */
  size: z.number().int(),
});

export const hostMethods = {
  /** Versions and the environment of the app, for diagnostics. */
  'app.info': method(
    nothing,
    z.object({
      version: z.string(),
      shell: z.enum(['electron', 'browser', 'test']),
      platform: z.string(),
      node: z.string(),
      /** The address the connect screen offers first (`--server`); null: this laptop. */
      default_server: z.string().nullable().default(null),
      /** Policy set by the company that manages this computer. */
      policy: policyView.default(NO_POLICY),
      /** The window's previous port, if another program holds it now. The window uses another port meanwhile. */
      port_taken: z.number().int().nullable().default(null),
      /** True if this app can start an embedded service. */
      embedded: z.boolean().default(true),
      /** True if a local company was created. */
      local_company: z.boolean().default(false),
    }),
  ),

  /**
   * For "Copy diagnostics" and the settings: the journal's size in bytes, and the host's recent log messages, newest last.
   * Messages are fixed sentences and codes are the system's: no token, address, name or record text.
   */
  'app.diagnostics': method(
    nothing,
    z.object({
      journal: z.object({ bytes: z.number().int(), operations: z.number().int() }),
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

  /** Free bytes for an ordinary user on the disk of the data folder. Null if the system does not report it. */
  'app.disk': method(nothing, z.object({ free: z.number().int().nullable() })),

  /**
   * The state of the window's database, reported at every start. `broken`: the window is about to delete and recreate it. `lost`:
   * it opened with less than the journal has. In both states the host keeps the copy made before this start (failures A19);
   * `kept` is its folder, null if there is none. On a full disk `broken` is refused with `no_space`: do not delete the database
   * then.
   */
  'database.report': method(
    z.object({ state: z.enum(['healthy', 'lost', 'broken']) }),
    z.object({ kept: z.string().nullable() }),
  ),

  /** Requests from outside the window since the last call. An event `asked` announces them. */
  'asks.take': method(nothing, z.object({ asks: z.array(windowAsk) })),
  /**
   * Reads the file that a request `import` names: at most CHUNK_MAX bytes from `offset`, none at its end. `size` is that of the
   * whole file.
   */
  'opened.read': method(
    z.object({
      key: openedKey,
      offset: z.number().int().nonnegative(),
      length: positive.max(CHUNK_MAX),
    }),
    z.object({ size: z.number().int() }),
    'out',
  ),
  /** Reports the window's queue to the shell, for the tray, the dock and the question at closing. */
  'window.report': method(windowReport, nothing),
  /** Opens a link in the system's browser, mail or phone app. `opened: false`: the system has no app for it. */
  'links.open': method(z.object({ href: linkSchema }), z.object({ opened: z.boolean() })),

  /**
   * Records that a window opened at this origin. `known: false`: no window did before in this data folder, so an empty database
   * there was never filled and nothing was lost.
   */
  'database.place': method(
    z.object({ origin: z.string().max(200) }),
    z.object({ known: z.boolean() }),
  ),

  /** State of the desktop app; null in the browser shell. */
  'desktop.get': method(nothing, z.object({ desktop: desktopView.nullable() })),
  /** Sends a request to the desktop app. Its effect arrives as `desktop.changed`. */
  'desktop.do': method(z.object({ what: desktopDeed }), nothing),
  /** Reports one check of a self-test. Ignored in every other run. */
  'self_test.report': method(z.object({ answer: windowAnswer }), nothing),

  'session.get': method(nothing, sessionView),
  /** Asks a server for the owner of a token. `me` is null if the server lacks `/rest/v1.0/me` [ours] but accepts the token. */
  'session.try': method(
    z.object({ address: z.string().max(2000), token: z.string().max(1200), company_id: positive }),
    z.object({ address: z.string(), me: me.nullable() }),
  ),
  /**
   * Exchanges an enrolment code for a token, which stays in the host until `session.connect` names the same code. Repeating the
   * call spends nothing more.
   */
  'session.enrol': method(
    z.object(typedCode),
    z.object({ address: z.string(), company_id: positive, me: me.nullable() }),
  ),
  /** Asks a server how to sign in there: the issuer of its identity provider, null if it has none. */
  'session.offer': method(
    z.object({ address: z.string().max(2000) }),
    z.object({ address: z.string(), issuer: z.string().nullable() }),
  ),
  /**
   * Opens the system's browser at the server's identity provider, and resolves when the person has come back: minutes later, or with
   * `cancelled`. The host keeps the sign-in for `session.connect`. A second call cancels the first.
   */
  'session.sign_in': method(
    z.object({ address: z.string().max(2000) }),
    z.object({ address: z.string(), me: me.nullable() }),
  ),
  'session.cancel_sign_in': method(nothing, nothing),
  'session.connect': method(connectInput, sessionView),
  'session.choose_project': method(z.object({ project_id: positive }), sessionView),
  /** Forgets the token. The queue and everything downloaded stay on this laptop, for this account only. */
  'session.sign_out': method(nothing, sessionView),
  /** Tries the keychain again after it was locked, hung or denied. */
  'session.unlock': method(nothing, sessionView),

  /** The embedded service's copies of its database, newest first. Only for a session on this laptop. */
  'copies.list': method(nothing, z.object({ copies: z.array(serviceCopy) })),
  /**
   * Stops the embedded service, replaces its database with a copy, and starts it again. `replaced` is the folder, inside the
   * service's data folder, that keeps the previous database. Requests meanwhile are `offline`; the queue is paused. `running`:
   * the service is up again.
   */
  'copies.restore': method(
    serviceCopy.pick({ name: true }),
    z.object({ replaced: z.string(), running: z.boolean() }),
  ),

  'settings.get': method(nothing, settingsSchema),
  'settings.set': method(settingsChange, settingsSchema),

  /** The only method for REST. `endpoint` is a name of contract/rest, never an address. */
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
        /**
         * Id in this write's previous response that the caller does not believe: the server is asked again instead of the host's
         * memory.
         */
        doubted_id: z.number().int().optional(),
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
  /** Checks that the service responds and accepts the token. A small request, never queued. */
  'reach.check': method(nothing, z.object({ server_time: z.number().nullable() })),

  /** Networks on which a phone may reach this laptop, the likeliest first; empty if this build has no phone page. */
  'phone.networks': method(nothing, z.object({ networks: z.array(phoneNetwork).max(50) })),
  /**
   * Listens for one phone on this network's address, as long as a window polls `phone.get`. Closes any earlier code. Returns the
   * address to show as a code; null if the system did not allow listening.
   */
  'phone.open': method(
    phoneNetwork.pick({ address: true }),
    z.object({ code: z.uuid(), url: z.string() }).nullable(),
  ),
  'phone.get': method(nothing, phoneView),
  /** Closes this code, or the current one if `code` is absent. */
  'phone.close': method(z.object({ code: z.uuid().optional() }), nothing),
  /** Reads a file that arrived complete from the phone, like `opened.read`. `file` is its index in the view's files. */
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
  /** Reports the outcome of a file to the phone and deletes the received copy. */
  'phone.took': method(
    z.object({
      code: z.uuid(),
      file: z.number().int().nonnegative(),
      state: z.enum(['kept', 'there', 'asks', 'refused']),
    }),
    nothing,
  ),

  /** Tells the company's privacy notice, which the phone's page and the report box's show; '' shows none. */
  'phone.notice': method(z.object({ text: z.string().max(600) }), nothing),

  /** The report box: whether phones reach it, its address, and how many reports wait. */
  'box.get': method(nothing, boxView),
  /**
   * Turns the report box on or off. Without `address`: the one of its posters, else the likeliest network. Another address voids the
   * posters.
   */
  'box.set': method(z.object({ on: z.boolean(), address: z.ipv4().optional() }), boxView),
  /** Draws a new key, so that old posters stop working, and a new port if another program holds the old one. */
  'box.renew': method(nothing, boxView),
  /** All reports in the box, the newest last, with the closed ones that are still kept. */
  'box.list': method(nothing, z.object({ reports: z.array(boxReport) })),
  /** Reads a photo of a report, like `opened.read`. */
  'box.read': method(
    z.object({
      report: ulidSchema,
      photo: z
        .number()
        .int()
        .min(0)
        .max(BOX_PHOTOS_MAX - 1),
      offset: z.number().int().nonnegative(),
      length: positive.max(CHUNK_MAX),
    }),
    z.object({ size: z.number().int() }),
    'out',
  ),
  /** Discards a waiting report. Phones that ask with its code show the reason. Both are kept for 30 days. */
  'box.discard': method(
    z.object({ report: ulidSchema, reason: z.string().trim().min(1).max(500) }),
    nothing,
  ),
  /** Puts a discarded report back among the waiting ones. */
  'box.restore': method(z.object({ report: ulidSchema }), nothing),
  /** Tells what became of filed reports. The host deletes their text, names and photos, which the near misses have now. */
  'box.tell': method(z.object({ outcomes: z.array(boxOutcome).max(500).readonly() }), nothing),

  /**
   * Opens a photo for writing. Calling it again with the same id starts over. An id with stored bytes, or one that the journal
   * names, accepts no other bytes: `bad_input` with `file_known`. `size` is in bytes, null if unknown.
   */
  'photos.begin': method(
    z.object({
      photo_id: ulidSchema,
      filename: z.string().max(1000),
      size: z.number().int().nonnegative().nullable(),
      /** `attachment`: any file, for a time-and-material entry. Absent: photos and videos only; everything else is refused. */
      purpose: z.enum(['photo', 'attachment']).optional(),
    }),
    nothing,
  ),
  /** Appends bytes at `offset`, which must equal the bytes received so far. */
  'photos.write': method(
    z.object({ photo_id: ulidSchema, offset: z.number().int().nonnegative() }),
    z.object({ received: z.number().int() }),
    'in',
  ),
  /** Resolves when the photo is hashed and on disk (fsync). A refused photo answers the reason, and earlier bytes stay. */
  'photos.finish': method(z.object({ photo_id: ulidSchema }), photoFacts),
  /**
   * Deletes a photo that no queued operation needs. A photo that the journal still names is deleted later: answers `dropped:
   * false`.
   */
  'photos.discard': method(z.object({ photo_id: ulidSchema }), z.object({ dropped: z.boolean() })),
  /** Reads the original, at most CHUNK_MAX bytes per call. */
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
   * Creates the upload, sends the missing segments and completes it. Writes a checkpoint after each step, so a call
   * after a crash resumes. Restarts if the addresses or the upload expired. Progress arrives as events.
   */
  'photos.upload': method(
    z.object({ photo_id: ulidSchema, company_id: positive, account: asAccount }),
    z.object({ upload_uuid: z.string() }),
  ),
  /**
   * Uploads, attaches and verifies a photo or file. Restarts if the upload has expired (failures A11, A12). The host
   * keeps the only checkpoint, so a call after a crash resumes. Two calls for one photo share one delivery.
   * `key`: the idempotency key of the attaching request; a new key is a new attempt by a person.
   * `outcome_unknown`: an earlier attempt may have succeeded, so the host first looks for an existing attachment by its
   * bytes.
   * Problem `gone`: the record does not exist (404), or holds other bytes (200).
   */
  'photos.deliver': method(
    z.object({
      photo_id: ulidSchema,
      company_id: positive,
      project_id: positive,
      to: photoTarget,
      key: ulidSchema,
      outcome_unknown: z.boolean(),
      /** The original of an edited photo: kept and deleted together with it. */
      original: ulidSchema.optional(),
      account: asAccount,
    }),
    delivery,
  ),
  'photos.delivery': method(
    z.object({ photo_id: ulidSchema }),
    z.object({
      /** Segments of its upload that the server has acknowledged; 0 if no upload was started. */
      segments: z.number().int(),
      uploaded: z.boolean(),
      /** `maybe`: the attaching request was sent and its outcome is unknown. */
      attached: z.enum(['no', 'maybe', 'yes']),
    }),
  ),
  'photos.cancel': method(z.object({ photo_id: ulidSchema }), nothing),
  /** Size of the spool: photos, their bytes on disk, and for both the delivered part that retention may evict. */
  'photos.usage': method(
    nothing,
    z.object({
      photos: z.number().int(),
      bytes: z.number().int(),
      delivered_photos: z.number().int(),
      delivered_bytes: z.number().int(),
      /** Total evicted since this data folder was created: files and their bytes. */
      freed: z.object({ files: z.number().int(), bytes: z.number().int() }),
    }),
  ),
  /**
   * Declares all photos that the window's database `store` knows (of drafts and queued operations, delivered ones, originals).
   * Deletes spooled photos older than 30 days that no database claims and no queued operation names. `dropped` counts them.
   */
  'photos.claim': method(
    z.object({ store: ulidSchema, photo_ids: z.array(ulidSchema).max(200_000) }),
    z.object({ dropped: z.number().int() }),
  ),
  /** Forgets the upload started for a photo and keeps its bytes. The next `photos.deliver` starts a new upload. */
  'photos.restart': method(z.object({ photo_id: ulidSchema }), nothing),
  /**
   * Looks for a local file among the attachments of a time-and-material entry, by name and by bytes read back from the server,
   * excluding `except`. Null if there is none.
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
   * Reads a photo, video or other file from the server, to show or save it. `thumbnail`: the whole image. `full`: at most
   * CHUNK_MAX bytes from `offset` if the server supports ranges, else the whole file up to 64 MB; `size` is that of the whole.
   * At offset 0 the content type of a picture or video is detected by its bytes. Any other file is `application/octet-stream`,
   * which is saved and never shown. A file that claims to be a picture and is not one fails. Later parts are octets.
   */
  'photos.attachment': method(
    z.object({
      project_id: positive,
      /** Null: a file of a time-and-material entry or of a plan. Its thumbnail is `gone` if the server has none. */
      near_miss_id: positive.nullable(),
      /** A picture of this plan (decisions §17). */
      plan_id: positive.optional(),
      attachment_id: positive,
      ...attachmentWanted,
    }),
    attachmentPart,
    'out',
  ),

  /**
   * Makes an evidence pack (decisions §19.2), which the server logs, and receives it. Closes any earlier one. `key`: the idempotency
   * key, so that a repeated call logs nothing more.
   */
  'evidence.open': method(
    z.object({
      project_id: positive,
      near_miss_id: positive,
      with_names: z.boolean(),
      language: z.enum(languages),
      key: ulidSchema,
      account: asAccount,
    }),
    z.object({ pack: z.uuid(), filename: z.string(), size: z.number().int() }),
  ),
  /** Waits for the next bytes of the pack: CHUNK_MAX from `offset` on, or all that remain. */
  'evidence.read': method(
    z.object({ pack: z.uuid(), offset: z.number().int().nonnegative() }),
    nothing,
    'out',
  ),
  /** Cancels what is still coming and deletes the host's copy. Without a pack: any. */
  'evidence.close': method(z.object({ pack: z.uuid().optional() }), nothing),

  /**
   * Appends and fsyncs. Only after this resolves may the window say "saved on this laptop". Idempotent: a known id writes no
   * second line.
   */
  'journal.append': method(
    z.object({ operations: z.array(journalEntry).min(1).max(200) }),
    nothing,
  ),
  /** Forgets operations whose outcome is stored in the window's database, and remembers their id links. */
  'journal.settle': method(
    z.object({
      operation_ids: z.array(ulidSchema).min(1).max(200),
      links: z.array(idLink).max(200),
    }),
    nothing,
  ),
  /** The settled ones among these operations. They may still be pending in this window's database if another window sent them. */
  'journal.settled': method(
    z.object({ operation_ids: z.array(ulidSchema).max(1_000) }),
    z.object({ operation_ids: z.array(ulidSchema) }),
  ),
  /** Stores drafts and forgets ended ones, with fsync. A version older than the stored one changes nothing. */
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
  /**
   * Unreadable lines of the journal as text, newest last: at most 50, each cut at 20,000 characters. They may contain names,
   * places and report text.
   */
  'journal.unreadable': method(
    nothing,
    z.object({ lines: z.array(z.string().max(20_000)).max(50) }),
  ),
  /** Every unsettled operation in order of `seq`, and every id link that its lane may still need. */
  'journal.list': method(
    nothing,
    z.object({
      operations: z.array(journalEntry),
      links: z.array(idLink),
      /** Unreadable lines, and truncated ends of the file. Both are kept in files beside the journal. */
      damaged: z.number().int(),
      unfinished: z.number().int(),
      /** For lanes with a settled newest operation and older pending ones: the `record` of the newest. */
      records: z.array(z.object({ lane: z.string(), record: z.unknown() })),
    }),
  ),
} as const;

type HostMethods = typeof hostMethods;
export type HostMethod = keyof HostMethods;
export type HostInput<M extends HostMethod> = z.input<HostMethods[M]['input']>;
export type HostParsed<M extends HostMethod> = z.output<HostMethods[M]['input']>;
export type HostOutput<M extends HostMethod> = z.output<HostMethods[M]['output']>;
/** Methods that return bytes answer a pair. */
export type HostAnswer<M extends HostMethod> = HostMethods[M]['bytes'] extends 'out'
  ? { readonly output: HostOutput<M>; readonly bytes: Uint8Array<ArrayBuffer> }
  : HostOutput<M>;

/** Events that the host sends to every window. For display only: no control flow may depend on an event. */
export const hostEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session.changed'), session: sessionView }),
  z.object({ kind: z.literal('settings.changed'), settings: settingsSchema }),
  z.object({
    kind: z.literal('photo.progress'),
    photo_id: ulidSchema,
    step: z.enum(['hashing', 'creating', 'sending', 'completing', 'attaching', 'verifying']),
    /** Bytes acknowledged by the server. */
    sent: z.number().int(),
    size: z.number().int(),
  }),
  /** A request from outside the window is buffered: call `asks.take` (desktop app only). */
  z.object({ kind: z.literal('asked') }),
  z.object({ kind: z.literal('desktop.changed'), desktop: desktopView }),
  z.object({ kind: z.literal('desktop.asked'), what: desktopDeed }),
  z.object({ kind: z.literal('window.reported'), report: windowReport }),
  z.object({ kind: z.literal('self_test.reported'), answer: windowAnswer }),
  /** The phone's state changed: call `phone.get`. */
  z.object({ kind: z.literal('phone.changed') }),
  /** The report box or a report in it changed: call `box.get` and `box.list`. */
  z.object({ kind: z.literal('box.changed') }),
  /** The embedded service started or stopped. */
  z.object({ kind: z.literal('service.state'), running: z.boolean(), detail: z.string() }),
]);
export type HostEvent = z.infer<typeof hostEvent>;
