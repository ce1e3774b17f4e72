/**
 * A host in memory for the window's fault cases, with the service of renderer-service.ts behind it. The carrier is scripted;
 * everything in the window (IndexedDB, Web Locks, Dexie, the engine) is real. Faults strike `before` a call reaches the
 * service, or `after` the service executed it and before its response returns. Journal, spool and service survive a "restart"
 * of the window, as in production.
 */
import type { Carrier, CarrierReply } from '../../src/contract/carrier.ts';
import type {
  HostEvent,
  HostInput,
  JournalDraft,
  JournalOperation,
  SessionView,
} from '../../src/contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../src/contract/problem.ts';
import type { Settings } from '../../src/contract/settings.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import type { Delivered } from '../../src/host/photos/checkpoint.ts';
import { deliver, type DeliverySteps } from '../../src/host/photos/deliver.ts';
import { createHost, type Host } from '../../src/renderer/host/client.ts';
import { NOT_FOUND, ScriptedService, type Asked } from './renderer-service.ts';

export interface Call {
  readonly method: string;
  /** Endpoint name of a `rest.request`; else null. */
  readonly endpoint: string | null;
  readonly input: Record<string, unknown>;
  readonly n: number;
}

export interface Fault {
  readonly at: 'before' | 'after';
  readonly on: (call: Call) => boolean;
  readonly problem: Problem;
  /** Number of calls; default 1. */
  times?: number;
  /** Delay between call and fault, milliseconds. */
  readonly after_ms?: number;
}

/** Calls that wait, before they are carried out or struck, until the promise resolves. */
export interface Hold {
  readonly on: (call: Call) => boolean;
  readonly until: Promise<unknown>;
}

export const ACCOUNT = 'this_laptop/1/1';

/** For `Fault.on`: matches calls of this endpoint or method. */
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
  level: null,
  signed_in_with: null,
  vault: { kind: 'memory', state: 'absent' },
  left: [],
  ...change,
});

const sha = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** What a scripted method answers with, if it gives bytes beside its output. */
export class Bytes {
  readonly output: object;
  readonly bytes: Uint8Array<ArrayBuffer>;
  constructor(output: object, bytes: Uint8Array<ArrayBuffer>) {
    this.output = output;
    this.bytes = bytes;
  }
}

const scriptedReply = (said: unknown): CarrierReply =>
  said instanceof Bytes
    ? { result: ok(said.output), bytes: said.bytes }
    : { result: ok(structuredClone(said)) };

export class ScriptedHost {
  session = sessionOf();
  readonly service: ScriptedService;
  readonly calls: Call[] = [];
  readonly journal = new Map<string, JournalOperation>();
  readonly settled = new Set<string>();
  readonly drafts = new Map<string, JournalDraft>();
  readonly ended = new Map<string, number>();
  /** Records of settled operations, by lane. */
  readonly left = new Map<string, unknown>();
  readonly links = new Map<string, number>();
  readonly spool = new Map<
    string,
    { bytes: Uint8Array<ArrayBuffer>; filename: string; sha256: string }
  >();
  faults: Fault[] = [];
  holds: Hold[] = [];
  /** The evidence pack that the server makes, which the window reads in pieces of ten bytes. Null: it makes none. */
  pack: Uint8Array<ArrayBuffer> | null = null;
  /** Photo segments that the service has acknowledged, where a test scripts them. */
  readonly segments_in = new Map<string, number>();
  /** Bytes of photos that only the service has, by attachment id. */
  readonly pictures = new Map<number, File>();
  /** False: the service does not answer. */
  up = true;
  /** Calls without an answer yet. */
  waiting = 0;
  private readonly writing = new Map<
    string,
    { filename: string; parts: Uint8Array<ArrayBuffer>[] }
  >();
  private readonly begun = new Map<string, string>();
  private readonly attached = new Map<string, Delivered>();
  private readonly unwanted = new Set<string>();
  private readonly hearers = new Set<(event: unknown) => void>();

  /** @param other the host of another laptop on the same service: the service is shared, journal and spool are not */
  constructor(other?: ScriptedHost) {
    this.service = other?.service ?? new ScriptedService();
  }

  // State of the service, exposed because most tests read it.
  get near_misses() {
    return this.service.near_misses;
  }
  get uploads() {
    return this.service.uploads;
  }
  get entry_files() {
    return this.service.entry_files;
  }

  /** Responses of methods that a test scripts, by method name. */
  readonly answers = new Map<string, (input: Record<string, unknown>) => unknown>();

  /** The window's connection to this host. */
  carrier(): Carrier {
    return {
      call: (method, input, bytes) => this.carry(method, input as Record<string, unknown>, bytes),
      listen: (hear) => {
        this.hearers.add(hear);
        return () => this.hearers.delete(hear);
      },
    };
  }

  /** A typed client on this host, as the window uses it. */
  client(): Host {
    return createHost(this.carrier());
  }

  emit(event: HostEvent): void {
    for (const hear of this.hearers) hear(event);
  }

  changeSession(session: SessionView): void {
    this.session = session;
    for (const hear of this.hearers) hear({ kind: 'session.changed', session });
  }

  /** Calls of an endpoint or method that reached the service or were struck on the way. */
  of(name: string): readonly Call[] {
    return this.calls.filter((call) => call.endpoint === name || call.method === name);
  }

  /** Changes a record as another user would. */
  theirs(id: number, change: Partial<NearMiss>): void {
    this.service.theirs(id, change);
  }

  add(change: Partial<NearMiss> = {}): NearMiss {
    return this.service.add(change, this.session.account ?? '');
  }

  private strike(at: 'before' | 'after', call: Call): Fault | null {
    const fault = this.faults.find((one) => one.at === at && one.on(call));
    if (fault === undefined) return null;
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) this.faults = this.faults.filter((one) => one !== fault);
    return fault;
  }

  private carry(
    method: string,
    input: Record<string, unknown>,
    bytes?: Uint8Array<ArrayBuffer>,
  ): Promise<CarrierReply> {
    this.waiting += 1;
    return this.answer(method, input, bytes).finally(() => (this.waiting -= 1));
  }

  private async answer(
    method: string,
    input: Record<string, unknown>,
    bytes?: Uint8Array<ArrayBuffer>,
  ): Promise<CarrierReply> {
    // A carrier passes copies.
    const copied = structuredClone(input);
    const endpoint = method === 'rest.request' ? String(copied['endpoint']) : null;
    const call: Call = { method, endpoint, input: copied, n: this.calls.length };
    this.calls.push(call);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await this.holds.find(({ on }) => on(call))?.until;
    const before = this.strike('before', call);
    const struck = async ({ problem, after_ms = 0 }: Fault): Promise<CarrierReply> => {
      await new Promise((resolve) => setTimeout(resolve, after_ms));
      return { result: fail(problem) };
    };
    if (before !== null) return struck(before);
    const reply = await this.run(call, bytes);
    const after = this.strike('after', call);
    return after === null ? reply : struck(after);
  }

  private async run(call: Call, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply> {
    const { input } = call;
    const needsService = /^(rest|reach|photos\.(upload|attachment|deliver$|find))/.test(
      call.method,
    );
    if (needsService && this.session.state !== 'ready')
      return { result: fail({ kind: 'signed_out', detail: '' }) };
    if (needsService && !this.up)
      return { result: fail({ kind: 'offline', reason: 'refused', detail: '' }) };
    const scripted = this.answers.get(call.method) ?? this.answers.get(call.endpoint ?? '');
    if (scripted !== undefined) return scriptedReply(scripted(input));
    switch (call.method) {
      case 'database.report':
        return { result: ok({ kept: null }) };
      case 'session.get':
        return { result: ok(this.session) };
      case 'reach.check':
        return { result: ok({ server_time: this.service.server_time }) };
      case 'journal.append':
        for (const operation of input['operations'] as JournalOperation[])
          if (!this.settled.has(operation.id) || operation.again === true) {
            this.settled.delete(operation.id);
            if (!this.journal.has(operation.id)) this.journal.set(operation.id, operation);
          }
        return { result: ok({}) };
      case 'journal.settle':
        for (const id of input['operation_ids'] as string[]) this.forget(id);
        for (const link of input['links'] as { local_id: string; server_id: number }[])
          this.links.set(link.local_id, link.server_id);
        this.letGo();
        return { result: ok({}) };
      case 'journal.settled':
        return {
          result: ok({
            operation_ids: (input['operation_ids'] as string[]).filter((id) =>
              this.settled.has(id),
            ),
          }),
        };
      case 'database.place':
        return { result: ok({ known: true }) };
      case 'drafts.list': {
        const ended = [...this.ended].map(([id, at]) => ({ id, at }));
        return { result: ok({ drafts: [...this.drafts.values()], ended }) };
      }
      case 'drafts.keep':
        for (const draft of input['drafts'] as JournalDraft[])
          if (
            (this.ended.get(draft.id) ?? -Infinity) < draft.at &&
            (this.drafts.get(draft.id)?.at ?? -Infinity) <= draft.at
          )
            this.drafts.set(draft.id, draft);
        for (const { id, at } of input['ended'] as { id: string; at: number }[]) {
          this.ended.set(id, Math.max(at, this.ended.get(id) ?? -Infinity));
          if ((this.drafts.get(id)?.at ?? Infinity) <= at) this.drafts.delete(id);
        }
        this.letGo();
        return { result: ok({}) };
      case 'journal.list': {
        const operations = [...this.journal.values()].sort((a, b) => a.seq - b.seq);
        const links = [...this.links].map(([local_id, server_id]) => ({ local_id, server_id }));
        const records = [...this.left].map(([lane, record]) => ({ lane, record }));
        return { result: ok({ operations, links, damaged: 0, unfinished: 0, records }) };
      }
      case 'rest.request':
        return {
          result: this.service.rest(
            call.endpoint ?? '',
            input['input'] as Asked,
            this.session.account ?? '',
          ),
        };
      default:
        return this.photos(call, bytes);
    }
  }

  /** As in the real journal: the record of a lane's newest operation stays while older operations are pending. */
  private forget(id: string): void {
    this.settled.add(id);
    const gone = this.journal.get(id);
    if (gone === undefined) return;
    const lane = [...this.journal.values()].filter((one) => one.lane === gone.lane);
    this.journal.delete(id);
    if (lane.length === 1) this.left.delete(gone.lane);
    // The newest record is the most complete.
    else if (lane.at(-1) === gone) this.left.set(gone.lane, gone.record);
  }

  private names(photo_id: string): boolean {
    return JSON.stringify([
      ...[...this.journal.values()].map(({ payload }) => payload),
      ...[...this.drafts.values()].map(({ photos }) => photos),
    ]).includes(photo_id);
  }

  private letGo(): void {
    for (const photo_id of this.unwanted)
      if (!this.names(photo_id)) {
        this.unwanted.delete(photo_id);
        this.spool.delete(photo_id);
      }
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
        this.writing.delete(photo_id);
        if (written === undefined || (kept ?? { sha256 }).sha256 !== sha256)
          return {
            result: fail({
              kind: 'bad_input',
              messages: ['This id belongs to other bytes.'],
              fields: {},
              fault: written === undefined ? 'file_begun_anew' : 'file_known',
            }),
          };
        this.spool.set(photo_id, { bytes: whole, filename, sha256 });
        const content_type = whole[0] === 0xff ? 'image/jpeg' : 'application/octet-stream';
        return { result: ok({ photo_id, filename, content_type, size: whole.length, sha256 }) };
      }
      case 'photos.claim':
        return { result: ok({ dropped: 0 }) };
      case 'photos.discard':
        // As in the host: a photo that a queued operation or a draft references stays until nothing references it.
        if (this.names(photo_id)) this.unwanted.add(photo_id);
        return {
          result: ok({
            dropped: !this.names(photo_id) && this.spool.delete(photo_id),
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
      case 'photos.attachment': {
        const file = this.pictures.get(Number(input['attachment_id']));
        if (file === undefined) return { result: fail(NOT_FOUND) };
        const whole = new Uint8Array(await file.arrayBuffer());
        const offset = input['variant'] === 'thumbnail' ? 0 : Number(input['offset']);
        const { name: filename, type } = file;
        const content_type = type === '' ? 'image/jpeg' : type;
        const output = { size: whole.length, content_type, filename };
        return { result: ok(output), bytes: whole.slice(offset, offset + 2 ** 20) };
      }
      case 'photos.upload': {
        if (kept === undefined || (await sha(kept.bytes)) !== kept.sha256) return damaged;
        const uuid = this.begun.get(photo_id) ?? crypto.randomUUID();
        this.begun.set(photo_id, uuid);
        if (!this.uploads.has(uuid))
          this.uploads.set(uuid, {
            photo_id,
            filename: kept.filename,
            near_miss_id: null,
            sha256: kept.sha256,
            size: kept.bytes.length,
          });
        return { result: ok({ upload_uuid: uuid }) };
      }
      case 'photos.delivery':
        return {
          result: ok({
            segments: this.segments_in.get(photo_id) ?? 0,
            uploaded: this.begun.has(photo_id),
            attached: this.attached.get(photo_id)?.attached ?? 'no',
          }),
        };
      case 'photos.deliver':
        return { result: kept === undefined ? damaged.result : await this.deliver(input, kept) };
      case 'evidence.open':
        if (this.pack === null) return { result: fail(NOT_FOUND) };
        return {
          result: ok({
            pack: '11111111-2222-4333-8444-555555555555',
            filename: 'evidence-1-1.zip',
            size: this.pack.length,
          }),
        };
      case 'evidence.read': {
        const offset = Number(input['offset']);
        return {
          result: ok({}),
          bytes: (this.pack ?? new Uint8Array()).slice(offset, offset + 10),
        };
      }
      case 'evidence.close':
        return { result: ok({}) };
      case 'photos.restart':
        this.begun.delete(photo_id);
        this.attached.delete(photo_id);
        return { result: ok({}) };
      case 'photos.find_attachment': {
        if (kept === undefined) return damaged;
        const one = this.fileOf(kept.sha256, null, input['except'] as number[]);
        return { result: ok({ attachment_id: one?.id ?? null }) };
      }
      default:
        return { result: fail({ kind: 'bug', detail: `not scripted: ${call.method}` }) };
    }
  }

  private fileOf(sha256: string, wanted: number | null, except: readonly number[]) {
    return [...this.entry_files.values()].find(
      (one) =>
        one.sha256 === sha256 && (wanted === null ? !except.includes(one.id) : one.id === wanted),
    );
  }

  /** The host's delivery of a photo, in steps that faults may strike like any call of the window. */
  private deliver(
    input: Record<string, unknown>,
    kept: { readonly bytes: Uint8Array; readonly filename: string; readonly sha256: string },
  ): Promise<Result<unknown>> {
    const { filename, sha256 } = kept;
    const { photo_id, account, company_id, project_id, to, key, outcome_unknown } =
      input as unknown as HostInput<'photos.deliver'>;
    const photo = { photo_id, filename, sha256, size: kept.bytes.length };
    const settings = this.answers.get('settings.get')?.({}) as Settings | undefined;
    const checked = settings?.photo_read_back ? ('bytes' as const) : ('proof' as const);
    const receipt = { photo_id, filename, size: photo.size, sha256, checked_at: 1, checked };
    const carry = async (method: string, given: object) =>
      (await this.carry(method, given as Record<string, unknown>)).result;
    const steps: DeliverySteps = {
      photo,
      company_id,
      project_id,
      now: () => 1,
      attaching: () => undefined,
      request: (endpoint, asked) =>
        carry('rest.request', { endpoint, input: asked, account }) as ReturnType<
          DeliverySteps['request']
        > as never,
      upload: async () => {
        const sent = await carry('photos.upload', { photo_id, company_id, account });
        return sent.ok ? ok((sent.value as { upload_uuid: string }).upload_uuid) : sent;
      },
      beginAnew: () => Promise.resolve(void this.begun.delete(photo_id)),
      had: () => Promise.resolve(this.attached.get(photo_id) ?? null),
      keep: (delivered) => Promise.resolve(void this.attached.set(photo_id, delivered)),
      readBack: (near_miss_id, upload_uuid) => {
        const found = this.near_misses
          .get(near_miss_id)
          ?.attachments?.find((one) => one.upload_uuid === upload_uuid);
        return Promise.resolve(
          found === undefined ? fail(NOT_FOUND) : ok({ ...receipt, attachment_id: found.id }),
        );
      },
      readBackEntry: (id, wanted, except) => {
        const one = this.fileOf(sha256, wanted, except);
        const place = { kind: 'time_and_material_entry' as const, id };
        if (one !== undefined)
          return Promise.resolve(ok({ ...receipt, attachment_id: one.id, place }));
        return Promise.resolve(wanted === null ? ok(null) : fail(NOT_FOUND));
      },
    };
    return deliver(steps, { to, key, outcome_unknown });
  }
}
