/**
 * The app's core: what both shells start, each with its own vault, its own way to start the embedded service, and its own
 * carrier in front of the door. No Electron, no listening socket.
 */
import { join, resolve } from 'node:path';
import type { HostDoor } from '../contract/carrier.ts';
import type { HostAnswer, HostEvent, SessionView } from '../contract/host.ts';
import {
  openPrivateFolder,
  placeWarning,
  UnusableFolder,
  type FolderNames,
} from '../disk/private-folder.ts';
import { systemClock, type Clock } from './clock.ts';
import { createDoor } from './door.ts';
import { createDesk, type Desk } from './desk.ts';
import { createEmbedded, type Embedded, type StartService } from './embedded.ts';
import { dropUnfinished, freeSpace, isNoSpace, Unreadable } from './files.ts';
import { openJournal, type Journal } from './journal.ts';
import { createLargeReplies } from './large-replies.ts';
import { lockFolder, type HostLock } from './lock.ts';
import { wordsOf, type Log } from './log.ts';
import { createMethods } from './methods.ts';
import { createOwnCopies, type OwnService } from './own-copies.ts';
import { createOwnFirm, type OwnFirmParts } from './own-firm.ts';
import type { RunCommand } from './own-service.ts';
import { createOpenedFile, type OpenedFile } from './opened-file.ts';
import { openOrigins } from './origins.ts';
import { createPhone, type Phone, type PhoneLimits } from './phone/index.ts';
import { phoneNetworks } from './phone/networks.ts';
import { openPhotos } from './photos/index.ts';
import { createApi } from './request.ts';
import { readProxies, type SystemProxy } from './proxy.ts';
import { lineOf, linesFile } from './log-file.ts';
import { keepRecent } from './recent-log.ts';
import { openSession } from './session.ts';
import { openSettings } from './settings.ts';
import { createTransport, type TransportLimits } from './transport.ts';
import type { Vault } from './vault/index.ts';
import { copyBeforeNewVersion } from './version-copy.ts';
import { openWindowStore } from './window-store.ts';

export interface HostOptions {
  /** Everything the host keeps: made where it is not there, 0700. */
  readonly data_dir: string;
  /** The `IndexedDB` folder of the window's browser profile, where the shell owns it. Not opened yet. */
  readonly window_store?: string;
  /** `keytarVault` or `memoryVault`. */
  readonly vault: Vault;
  readonly clock?: Clock;
  /** Starts the embedded service in a process of its own; null where there is none to start. */
  readonly start_service: StartService | null;
  /** Runs a command of the embedded service on its data folder. Left out: there is none to run. */
  readonly run_command?: RunCommand;
  /** The firm of this laptop's own. Left out: there can be none. */
  readonly own_firm?: OwnFirmParts;
  /** Hands a link to the system, answers whether it could. Left out: it cannot. */
  readonly open_link?: (href: string) => Promise<boolean>;
  /** The page for a phone, one built file. Left out: photos cannot come from a phone. */
  readonly phone_page?: string;
  readonly phone_limits?: PhoneLimits;
  /** The port of this laptop's window, where another program has it. */
  readonly port_taken?: () => number | null;
  /** What the connect screen offers first; null: this laptop. */
  readonly default_server?: string | null;
  readonly shell: HostAnswer<'app.info'>['shell'];
  readonly version: string;
  /** The file of reply-worker.ts: `REPLY_WORKER`, or what the shell made of it. */
  readonly reply_worker: URL;
  readonly log: Log;
  /** For tests: shorter deadlines, another measure of the disk. */
  readonly limits?: TransportLimits;
  /** Where the proxies are named: `process.env` where left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the system says of proxies, where the shell can ask it. */
  readonly system_proxy?: SystemProxy;
  readonly free_space?: (folder: string) => Promise<number>;
  /** Told, with a sentence for the user, after the host stopped because the data folder is no longer its own. */
  readonly lost?: (detail: string) => void;
}

/** Why there is no host; `detail` is a sentence for the user. */
export interface StartProblem {
  readonly kind: 'already_running' | 'no_space' | 'unusable_folder';
  readonly detail: string;
}
/** The door, and what only the shell around it may do: ask something of the window, tell it of itself, offer it a file. */
export type Host = HostDoor &
  Pick<Desk, 'ask' | 'tellDesktop'> & {
    /** The user opened a file with Spotter. */
    readonly offerFile: OpenedFile['offer'];
  };

export type StartResult =
  | { readonly ok: true; readonly value: Host }
  | { readonly ok: false; readonly problem: StartProblem };

const cannot = (kind: StartProblem['kind'], detail: string): StartResult => ({
  ok: false,
  problem: { kind, detail },
});

const createEvents = (log: Log) => {
  const hearers = new Set<(event: HostEvent) => void>();
  return {
    listen: (hear: (event: HostEvent) => void) => {
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
    tell: (event: HostEvent): void => {
      for (const hear of hearers) {
        try {
          hear(event);
        } catch (error) {
          log({ level: 'error', message: 'a listener threw', detail: wordsOf(error) });
        }
      }
    },
    clear: () => hearers.clear(),
  };
};

/** Electron makes its own folder in ours before the host starts. */
const NAMES: FolderNames = {
  ours: ['journal', 'session.json', 'host.lock.db', 'host.lock'],
  before: ['electron', 'browser'],
};

/** Makes the data folder, closes it to others, and says what is against its place. @throws {UnusableFolder} */
const openFolder = async (folder: string, log: Log): Promise<void> => {
  const open = await openPrivateFolder(folder, NAMES);
  for (const message of [open, placeWarning(resolve(folder), process.env)])
    if (message !== null) log({ level: 'warn', message });
};

const open = async (options: HostOptions, lock: HostLock): Promise<Host> => {
  const file = linesFile(join(options.data_dir, 'logs/spotter.log'));
  const recent = keepRecent(options.log, options.clock ?? systemClock, (said) =>
    file.write(lineOf(said)),
  );
  const journal = await openJournal(join(options.data_dir, 'journal'), recent.log, lock.held);
  try {
    const host = await openWith(options, journal, recent);
    return { ...host, stop: () => host.stop().finally(file.settled) };
  } catch (error) {
    await journal.close();
    throw error;
  }
};

const openWith = async (
  options: HostOptions,
  journal: Journal,
  { log, said }: ReturnType<typeof keepRecent>,
): Promise<Host> => {
  const { data_dir, vault } = options;
  const clock = options.clock ?? systemClock;
  const events = createEvents(log);
  const desk = createDesk(events.tell);
  const opened = createOpenedFile(desk.ask);
  await copyBeforeNewVersion(
    options.window_store ?? null,
    join(data_dir, 'before-update'),
    options.version,
    log,
  );
  await dropUnfinished(data_dir);
  const store = await openWindowStore(
    options.window_store ?? null,
    join(data_dir, 'kept-databases'),
    clock,
    log,
    options.free_space,
  );
  const settings = await openSettings(data_dir, (changed) =>
    events.tell({ kind: 'settings.changed', settings: changed }),
  );
  const { proxies, unusable } = readProxies(options.env ?? process.env);
  for (const name of unusable)
    log({ level: 'warn', message: `${name} is not the address of a proxy: it is not used` });
  const transport = createTransport(options.limits, {
    proxies,
    system_proxy: options.system_proxy,
  });
  const large = createLargeReplies(options.reply_worker);
  const api = createApi(transport, clock, large);
  const own_firm = options.own_firm ?? null;
  const serviceOf = (start: StartService | null): Embedded =>
    createEmbedded(
      start,
      (running, detail) => events.tell({ kind: 'service.state', running, detail }),
      log,
    );
  const services = {
    this_laptop: serviceOf(options.start_service),
    own_firm: serviceOf(own_firm?.start ?? null),
  };
  const firm = createOwnFirm(own_firm, log);
  let phone: Phone | null = null;
  let before: SessionView | null = null;
  const session = await openSession({
    folder: data_dir,
    api,
    vault,
    services,
    firm,
    clock,
    log,
    changed: (view) => {
      // What a phone sends is for the draft of whoever let it in.
      const ended = before?.state === 'ready' && view.state !== 'ready';
      if (ended || view.account !== before?.account) void phone?.close('account');
      before = view;
      events.tell({ kind: 'session.changed', session: view });
    },
  });
  const photos = await openPhotos({
    folder: join(data_dir, 'photos'),
    api,
    transport,
    session,
    clock,
    tell: events.tell,
    named: journal.names,
    mentions: journal.mentions,
    keep_days: () => settings.get().photo_keep_days,
    free_space: options.free_space,
  });
  before = session.view();
  phone = await createPhone({
    folder: join(data_dir, 'phone'),
    page: options.phone_page ?? null,
    networks: () => phoneNetworks(options.env ?? process.env),
    clock,
    log,
    free_space: options.free_space ?? freeSpace,
    changed: () => events.tell({ kind: 'phone.changed' }),
    limits: options.phone_limits,
  });
  const from_phone = phone;
  const info = () => ({
    version: options.version,
    shell: options.shell,
    platform: process.platform,
    node: process.version,
    default_server: options.default_server ?? null,
    port_taken: options.port_taken?.() ?? null,
    embedded: options.start_service !== null,
    own_firm: firm.exists(),
  });
  const withCommand = (embedded: Embedded, command: RunCommand | undefined): OwnService | null =>
    command === undefined ? null : { embedded, command };
  const copies = createOwnCopies({
    session,
    services: {
      this_laptop: withCommand(services.this_laptop, options.run_command),
      own_firm: withCommand(services.own_firm, own_firm?.command),
    },
    log,
  });
  const origins = openOrigins(data_dir);
  const open_link = options.open_link ?? (async () => false);
  const kept = { settings, copies, photos, journal, store, origins };
  const disk = async () => {
    const free = await (options.free_space ?? freeSpace)(data_dir).catch(() => null);
    return free !== null && Number.isSafeInteger(free) ? free : null;
  };
  const parts = { info, desk, opened, session, ...kept, phone: from_phone, said, open_link, disk };
  return {
    call: createDoor(createMethods(parts), log),
    listen: events.listen,
    ask: desk.ask,
    tellDesktop: desk.tellDesktop,
    offerFile: opened.offer,
    stop: async () => {
      await from_phone.stop();
      await photos.close();
      await transport.stop();
      await large.stop();
      await journal.close();
      await Promise.all([services.this_laptop.stop(), services.own_firm.stop()]);
      await vault.stop();
      events.clear();
    },
  };
};

const LOST =
  'The lock of the data folder was removed or replaced, so another Spotter may be using it. This one has stopped; start it again.';

const startProblem = (error: unknown, folder: string): StartResult => {
  if (isNoSpace(error))
    return cannot('no_space', 'The disk is full: free some space, then start again.');
  const detail =
    error instanceof UnusableFolder || error instanceof Unreadable
      ? error.message
      : `The data folder ${folder} cannot be used: ${wordsOf(error)}`;
  return cannot('unusable_folder', detail);
};

const openLocked = async (options: HostOptions, lock: HostLock): Promise<Host> => {
  const door = await open(options, lock);
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= door.stop().finally(lock.release));
  void lock.lost.then(async () => {
    options.log({ level: 'error', message: LOST });
    await stop();
    options.lost?.(LOST);
  });
  return { ...door, stop };
};

/** Starts the host on a data folder, or says why it cannot. Only one host runs per folder (failures A21, A22). */
export const startHost = async (options: HostOptions): Promise<StartResult> => {
  const { data_dir } = options;
  try {
    await openFolder(data_dir, options.log);
    const lock = await lockFolder(data_dir);
    if (lock === null)
      return cannot(
        'already_running',
        'Spotter is already open on this data folder. Close it first, or start with another folder.',
      );
    try {
      return { ok: true, value: await openLocked(options, lock) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    return startProblem(error, data_dir);
  }
};
