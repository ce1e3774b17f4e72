/**
 * A host and a service in a few lines of memory, for the window's fault cases: the carrier is scripted, everything on
 * the window's side (IndexedDB, Web Locks, Dexie, the engine) is real. Faults strike at named points: `before` a call
 * reaches the service, or `after` the service has executed it and before the answer comes back. What survives a
 * "restart" of the window is what survives in life: journal, spool and service.
 */
import type { Carrier, CarrierReply } from '../../src/contract/carrier.ts';
import type { JournalEntry, SessionView } from '../../src/contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../src/contract/problem.ts';
import type { EntryAttachment } from '../../src/contract/rest/attachments.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { emptyCatalog } from '../../src/renderer/data/catalog.ts';
import { createHost, type Host } from '../../src/renderer/host/client.ts';

export interface Call {
  readonly method: string;
  /** Of `rest.request`. */
  readonly endpoint: string | null;
  readonly input: Record<string, unknown>;
  readonly n: number;
}

export interface Fault {
  readonly at: 'before' | 'after';
  /** Which calls it strikes. */
  readonly on: (call: Call) => boolean;
  readonly problem: Problem;
  /** How many calls; default 1. */
  times?: number;
}

interface Executed {
  readonly body: string;
  readonly answer: Result<unknown>;
}

export const ACCOUNT = 'this_laptop/1/1';

/** For `Fault.on` and the like: calls of this endpoint or method. */
export const to =
  (name: string) =>
  (call: Call): boolean =>
    call.endpoint === name || call.method === name;

export const sessionOf = (change: Partial<SessionView> = {}): SessionView => ({
  state: 'ready',
  kind: 'this_laptop',
  address: null,
  account: ACCOUNT,
  company: { id: 1, name: 'Company' },
  project: { id: 10, name: 'Project' },
  user: { id: 1, name: 'User', login: 'user@example.com' },
  vault: { kind: 'memory', state: 'absent' },
  ...change,
});

interface AttachBody {
  readonly time_and_material_entry_id: number;
  readonly time_and_material_entry_attachment: {
    readonly documents?: number[];
    readonly folders?: number[];
    readonly upload_uuids?: string[];
  };
}

const NOT_FOUND: Problem = { kind: 'gone', status: 404, messages: ['Not found'] };
const refusedOn = (field: string, message: string): Problem => ({
  kind: 'refused',
  status: 422,
  messages: [],
  fields: { [field]: [message] },
});

const sha = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

export class ScriptedHost {
  session = sessionOf();
  /** One service per account name, so that a request under the wrong session is seen. */
  readonly near_misses = new Map<number, NearMiss & { account: string }>();
  readonly etags = new Map<number, number>();
  readonly calls: Call[] = [];
  readonly journal = new Map<string, JournalEntry>();
  /** Records of settled entries, by lane. */
  readonly left = new Map<string, unknown>();
  readonly links = new Map<string, number>();
  readonly spool = new Map<
    string,
    { bytes: Uint8Array<ArrayBuffer>; filename: string; sha256: string }
  >();
  readonly uploads = new Map<
    string,
    { photo_id: string; near_miss_id: number | null; sha256: string; size: number }
  >();
  /** Files of time-and-material entries. */
  readonly entry_files = new Map<
    number,
    EntryAttachment & { readonly upload_uuid: string | null; readonly sha256: string | null }
  >();
  faults: Fault[] = [];
  /** False: the service does not answer at all. */
  up = true;
  idempotent = true;
  hasCatalog = true;
  server_time: number | null = null;
  private nextId = 100;
  private readonly keys = new Map<string, Executed>();
  private readonly writing = new Map<
    string,
    { filename: string; parts: Uint8Array<ArrayBuffer>[] }
  >();
  private readonly begun = new Map<string, string>();
  private readonly hearers = new Set<(event: unknown) => void>();

  /** @param other another laptop's host on the same service: what that has is shared, journal and spool are not. */
  constructor(other?: ScriptedHost) {
    if (other === undefined) return;
    this.near_misses = other.near_misses;
    this.etags = other.etags;
    this.uploads = other.uploads;
    this.entry_files = other.entry_files;
    this.keys = other.keys;
    this.nextId = 5000;
  }

  /** The window's typed client on this host. */
  client(): Host {
    const carrier: Carrier = {
      call: (method, input, bytes) => this.carry(method, input as Record<string, unknown>, bytes),
      listen: (hear) => {
        this.hearers.add(hear);
        return () => this.hearers.delete(hear);
      },
    };
    return createHost(carrier);
  }

  changeSession(session: SessionView): void {
    this.session = session;
    for (const hear of this.hearers) hear({ kind: 'session.changed', session });
  }

  /** Calls of an endpoint that reached the service or were struck on the way. */
  of(name: string): readonly Call[] {
    return this.calls.filter((call) => call.endpoint === name || call.method === name);
  }

  /** Someone else writes. */
  theirs(id: number, change: Partial<NearMiss>): void {
    const had = this.near_misses.get(id);
    if (had === undefined) throw new Error(`no near miss ${id}`);
    this.put({ ...had, ...change });
  }

  add(change: Partial<NearMiss> = {}): NearMiss {
    const record = {
      id: this.nextId++,
      incident_id: 1,
      description: '<p>There before</p>',
      created_at: new Date(1_700_000_000_000 + this.nextId * 1000).toISOString(),
      account: this.session.account ?? '',
      ...change,
    };
    this.put(record);
    return record;
  }

  private put(record: NearMiss & { account: string }): void {
    this.near_misses.set(record.id, record);
    this.etags.set(record.id, (this.etags.get(record.id) ?? 0) + 1);
  }

  private strike(at: 'before' | 'after', call: Call): Problem | null {
    const fault = this.faults.find((one) => one.at === at && one.on(call));
    if (fault === undefined) return null;
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) this.faults = this.faults.filter((one) => one !== fault);
    return fault.problem;
  }

  private async carry(
    method: string,
    input: Record<string, unknown>,
    bytes?: Uint8Array<ArrayBuffer>,
  ): Promise<CarrierReply> {
    // What crosses a carrier is a copy.
    const copied = structuredClone(input);
    const endpoint = method === 'rest.request' ? String(copied['endpoint']) : null;
    const call: Call = { method, endpoint, input: copied, n: this.calls.length };
    this.calls.push(call);
    await new Promise((resolve) => setTimeout(resolve, 0));
    const before = this.strike('before', call);
    if (before !== null) return { result: fail(before) };
    const reply = await this.run(call, bytes);
    const after = this.strike('after', call);
    return after === null ? reply : { result: fail(after) };
  }

  private async run(call: Call, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply> {
    const { input } = call;
    const needsService = /^(rest|reach|photos\.(upload|verify))/.test(call.method);
    if (needsService && this.session.state !== 'ready')
      return { result: fail({ kind: 'signed_out', detail: '' }) };
    if (needsService && !this.up)
      return { result: fail({ kind: 'offline', reason: 'refused', detail: '' }) };
    switch (call.method) {
      case 'database.report':
        return { result: ok({ kept: null }) };
      case 'session.get':
        return { result: ok(this.session) };
      case 'reach.check':
        return { result: ok({ server_time: this.server_time }) };
      case 'journal.append':
        for (const entry of input['entries'] as JournalEntry[])
          if (!this.journal.has(entry.id)) this.journal.set(entry.id, entry);
        return { result: ok({}) };
      case 'journal.settle':
        for (const id of input['entry_ids'] as string[]) this.forget(id);
        for (const link of input['links'] as { local_id: string; server_id: number }[])
          this.links.set(link.local_id, link.server_id);
        return { result: ok({}) };
      case 'journal.list': {
        const entries = [...this.journal.values()].sort((a, b) => a.seq - b.seq);
        const links = [...this.links].map(([local_id, server_id]) => ({ local_id, server_id }));
        const records = [...this.left].map(([lane, record]) => ({ lane, record }));
        return { result: ok({ entries, links, damaged: 0, records }) };
      }
      case 'rest.request':
        return { result: this.rest(call) };
      default:
        return this.photos(call, bytes);
    }
  }

  /** As the journal does it: of the newest entry of a lane the record stays while older ones wait. */
  private forget(id: string): void {
    const gone = this.journal.get(id);
    this.journal.delete(id);
    if (gone === undefined) return;
    const others = [...this.journal.values()].filter(({ lane }) => lane === gone.lane);
    if (others.length === 0) this.left.delete(gone.lane);
    else if (others.every(({ seq }) => seq < gone.seq)) this.left.set(gone.lane, gone.record);
  }

  private async photos(call: Call, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply> {
    const { input } = call;
    const photo_id = String(input['photo_id']);
    const kept = this.spool.get(photo_id);
    const damaged: CarrierReply = {
      result: fail({ kind: 'photo_damaged', photo_id, reason: 'missing' }),
    };
    switch (call.method) {
      case 'photos.begin':
        this.writing.set(photo_id, { filename: String(input['filename']), parts: [] });
        return { result: ok({}) };
      case 'photos.write':
        this.writing.get(photo_id)?.parts.push(bytes ?? new Uint8Array());
        return { result: ok({ received: Number(input['offset']) + (bytes?.length ?? 0) }) };
      case 'photos.finish': {
        const written = this.writing.get(photo_id);
        const whole = new Uint8Array(await new Blob(written?.parts ?? []).arrayBuffer());
        const filename = written?.filename ?? '';
        const sha256 = await sha(whole);
        this.spool.set(photo_id, { bytes: whole, filename, sha256 });
        const content_type = whole[0] === 0xff ? 'image/jpeg' : 'application/octet-stream';
        return { result: ok({ photo_id, filename, content_type, size: whole.length, sha256 }) };
      }
      case 'photos.claim':
        return { result: ok({ dropped: 0 }) };
      case 'photos.discard':
        // As in the host: what a queued entry names stays.
        return {
          result: ok({
            dropped:
              ![...this.journal.values()].some((entry) =>
                JSON.stringify(entry.payload).includes(photo_id),
              ) && this.spool.delete(photo_id),
          }),
        };
      case 'photos.read': {
        if (kept === undefined) return damaged;
        const offset = Number(input['offset']);
        const part = kept.bytes.slice(offset, offset + Number(input['length']));
        return {
          result: ok({ size: kept.bytes.length, content_type: 'image/jpeg' }),
          bytes: part,
        };
      }
      case 'photos.upload': {
        if (kept === undefined || (await sha(kept.bytes)) !== kept.sha256) return damaged;
        const uuid = this.begun.get(photo_id) ?? crypto.randomUUID();
        this.begun.set(photo_id, uuid);
        if (!this.uploads.has(uuid))
          this.uploads.set(uuid, {
            ...{ photo_id, near_miss_id: null, sha256: kept.sha256, size: kept.bytes.length },
          });
        return { result: ok({ upload_uuid: uuid }) };
      }
      case 'photos.restart':
        this.begun.delete(photo_id);
        return { result: ok({}) };
      case 'photos.verify': {
        const found = this.near_misses
          .get(Number(input['near_miss_id']))
          ?.attachments?.find((one) => one.upload_uuid === input['upload_uuid']);
        if (found === undefined || kept === undefined) return { result: fail(NOT_FOUND) };
        const { bytes: all, filename, sha256 } = kept;
        return {
          result: ok({
            ...{ photo_id, attachment_id: found.id, filename, size: all.length, sha256 },
            checked_at: 1,
          }),
        };
      }
      case 'photos.verify_attachment': {
        if (kept === undefined) return damaged;
        const wanted = input['attachment_id'];
        const except = input['except'] as number[];
        const one = [...this.entry_files.values()].find(
          ({ id, sha256 }) =>
            sha256 === kept.sha256 && (wanted === null ? !except.includes(id) : id === wanted),
        );
        if (one === undefined && wanted !== null) return { result: fail(NOT_FOUND) };
        const { bytes: all, filename, sha256 } = kept;
        const id = Number(input['time_and_material_entry_id']);
        const receipt = {
          ...{ photo_id, attachment_id: one?.id ?? null, filename, size: all.length, sha256 },
          ...{ checked_at: 1, checked: 'bytes', place: { kind: 'time_and_material_entry', id } },
        };
        return { result: ok({ receipt: one === undefined ? null : receipt }) };
      }
      default:
        return { result: fail({ kind: 'bug', detail: `not scripted: ${call.method}` }) };
    }
  }

  private rest(call: Call): Result<unknown> {
    const input = call.input['input'] as {
      params: Record<string, number>;
      query?: { page?: number; per_page?: number };
      body?: { near_miss: Record<string, unknown> };
      idempotency_key?: string;
      if_match?: string;
    };
    const key = input.idempotency_key;
    const body = JSON.stringify([call.endpoint, input.params, input.body]);
    const had = key !== undefined && this.idempotent ? this.keys.get(key) : undefined;
    if (had !== undefined)
      return had.body === body ? had.answer : fail(refusedOn('key', 'another body'));
    const answer = this.execute(call.endpoint ?? '', input);
    if (key !== undefined && this.idempotent) this.keys.set(key, { body, answer });
    return answer;
  }

  private reply(status: number, data: unknown, etag: string | null = null, total?: number) {
    const has_next = false;
    const paging = total === undefined ? null : { per_page: 1000, total, has_next };
    const server_time = this.server_time;
    return ok(structuredClone({ status, data, paging, etag, replayed: false, server_time }));
  }

  private execute(
    endpoint: string,
    input: {
      params: Record<string, number>;
      query?: { page?: number; per_page?: number };
      body?: { near_miss: Record<string, unknown> };
      if_match?: string;
    },
  ): Result<unknown> {
    const id = input.params['id'] ?? 0;
    const had = this.near_misses.get(id);
    const active = had !== undefined && !had.deleted_at;
    const shown = (record: NearMiss) =>
      this.reply(200, record, `"${this.etags.get(record.id) ?? 0}"`);
    switch (endpoint) {
      case 'near_misses.list':
      case 'recycled_near_misses.list': {
        const wanted = endpoint === 'near_misses.list';
        const all = [...this.near_misses.values()].filter((one) => !one.deleted_at === wanted);
        const { page = 1, per_page = 100 } = input.query ?? {};
        const rows = all.slice((page - 1) * per_page, page * per_page);
        const has_next = page * per_page < all.length;
        const paging = { per_page, total: all.length, has_next };
        const server_time = this.server_time;
        return ok(
          structuredClone({
            ...{ status: 200, data: rows, paging, etag: null, replayed: false, server_time },
          }),
        );
      }
      case 'near_misses.create': {
        const fields = input.body?.near_miss ?? {};
        if (fields['harm_source_id'] === 666)
          return fail(refusedOn('near_miss.harm_source_id', 'is unknown'));
        const now = new Date().toISOString();
        const made = this.add({ created_at: now, ...this.fields(fields) });
        return this.reply(201, made, `"${this.etags.get(made.id) ?? 0}"`);
      }
      case 'near_misses.show':
        return active ? shown(had) : fail(NOT_FOUND);
      case 'near_misses.update': {
        if (!active) return fail(NOT_FOUND);
        if (input.if_match !== undefined && input.if_match !== `"${this.etags.get(id) ?? 0}"`)
          return fail({ kind: 'conflict', status: 412, messages: [] });
        return this.update(had, input.body?.near_miss ?? {});
      }
      case 'near_misses.delete':
        if (!active) return fail(NOT_FOUND);
        this.put({ ...had, deleted_at: new Date().toISOString() });
        return this.reply(204, undefined);
      case 'recycled_near_misses.show':
        return had !== undefined && !active ? shown(had) : fail(NOT_FOUND);
      case 'near_miss_attachments.delete': {
        const taken = input.params['attachment_id'];
        if (!active || !had.attachments?.some((one) => one.id === taken)) return fail(NOT_FOUND);
        this.put({ ...had, attachments: had.attachments.filter((one) => one.id !== taken) });
        return this.reply(204, undefined);
      }
      case 'recycled_near_misses.restore':
        if (had === undefined || active) return fail(NOT_FOUND);
        this.put({ ...had, deleted_at: null });
        return shown({ ...had, deleted_at: null });
      case 'time_and_material_entry_attachments.list':
        return this.reply(200, [...this.entry_files.values()], null, this.entry_files.size);
      case 'time_and_material_entry_attachments.create':
        return this.attach(input.body as unknown as AttachBody);
      case 'time_and_material_entry_attachments.delete': {
        const one = this.entry_files.get(id);
        return this.entry_files.delete(id) ? this.reply(200, one) : fail(NOT_FOUND);
      }
      case 'time_and_material_entry_attachments.bulk_destroy': {
        const body = input.body as unknown as Record<string, Record<string, number[]>>;
        const given = body['time_and_material_entry_attachment'] ?? {};
        const ids = given['time_and_material_entry_attachment_ids'] ?? [];
        if (ids.some((one) => !this.entry_files.has(one)))
          return fail(refusedOn('time_and_material_entry_attachment_ids', 'does not exist'));
        for (const one of ids) this.entry_files.delete(one);
        return this.reply(200, []);
      }
      case 'catalog.show':
        return this.hasCatalog ? this.reply(200, emptyCatalog) : fail(NOT_FOUND);
      default:
        return fail({ kind: 'bug', detail: `not scripted: ${endpoint}` });
    }
  }

  private attach(body: AttachBody): Result<unknown> {
    const {
      documents = [],
      folders = [],
      upload_uuids = [],
    } = body.time_and_material_entry_attachment;
    const time_and_material_entry_id = body.time_and_material_entry_id;
    if (time_and_material_entry_id === 666)
      return fail(refusedOn('time_and_material_entry_id', 'does not exist in this project'));
    interface File extends EntryAttachment {
      readonly upload_uuid: string | null;
      readonly sha256: string | null;
    }
    const made: File[] = [
      ...documents.map((id) => ({ filename: `document-${id}`, upload_uuid: null, sha256: null })),
      ...folders.map((id) => ({ filename: `in-folder-${id}`, upload_uuid: null, sha256: null })),
    ].map((file) => ({ id: this.nextId++, time_and_material_entry_id, ...file }));
    for (const upload_uuid of upload_uuids) {
      const upload = this.uploads.get(upload_uuid);
      if (upload === undefined)
        return fail(refusedOn('time_and_material_entry_attachment.upload_uuids', 'is unknown'));
      const { sha256, photo_id } = upload;
      const filename = this.spool.get(photo_id)?.filename ?? photo_id;
      const had = [...this.entry_files.values()].find((one) => one.upload_uuid === upload_uuid);
      const id = had?.id ?? this.nextId++;
      made.push({ id, time_and_material_entry_id, filename, upload_uuid, sha256 });
    }
    for (const one of made) this.entry_files.set(one.id, one);
    const [first] = made;
    return this.reply(201, { ...first, created: made });
  }

  private fields(body: Record<string, unknown>): Partial<NearMiss> {
    const harm = body['harm_source_id'];
    return {
      ...('incident_id' in body ? { incident_id: Number(body['incident_id']) } : {}),
      ...('description' in body ? { description: String(body['description']) } : {}),
      ...(typeof harm === 'number' ? { harm_source: { id: harm, name: `harm ${harm}` } } : {}),
    };
  }

  private update(
    had: NearMiss & { account: string },
    body: Record<string, unknown>,
  ): Result<unknown> {
    const { incident_id: _fixed, ...changed } = this.fields(body);
    const attachments = [...(had.attachments ?? [])];
    for (const uuid of (body['upload_uuids'] ?? []) as string[]) {
      const upload = this.uploads.get(uuid);
      if (upload === undefined)
        return fail(refusedOn('near_miss.upload_uuids', 'is unknown or expired'));
      if (upload.near_miss_id === null)
        attachments.push({
          ...{ id: this.nextId++, upload_uuid: uuid, filename: upload.photo_id },
          ...{ sha256: upload.sha256, size: upload.size },
        });
      upload.near_miss_id = had.id;
    }
    this.put({ ...had, ...changed, attachments });
    return this.reply(200, this.near_misses.get(had.id), `"${this.etags.get(had.id) ?? 0}"`);
  }
}
