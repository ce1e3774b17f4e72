/**
 * Starts the app's core for both shells. Each shell supplies a vault, a way to start the embedded service and an IPC transport
 * in front of the host API. Imports no Electron and opens no listening socket, except for phones (photos, the report box) and for the
 * answer of an identity provider.
 */
import { join, resolve } from 'node:path';
import type { HostApi } from '../contract/carrier.ts';
import type { HostAnswer, HostEvent, SessionView } from '../contract/host.ts';
import {
  openPrivateFolder,
  placeWarning,
  UnusableFolder,
  type FolderNames,
} from '../disk/private-folder.ts';
import { NO_POLICY, type PolicyView } from '../contract/policy.ts';
import type { Settings } from '../contract/settings.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { createDoor } from './host-api.ts';
import { createShellBridge, type ShellBridge } from './window/shell-bridge.ts';
import { createEmbedded, type Embedded, type StartService } from './session/embedded.ts';
import { dropUnfinished, freeSpace, isNoSpace, Unreadable } from './lib/files.ts';
import { openJournal, type Journal } from './journal/journal.ts';
import { createLargeReplies } from './http/parse-in-worker.ts';
import { createEvidencePacks, type EvidencePacks } from './evidence/evidence-packs.ts';
import { lockFolder, type HostLock } from './lib/lock.ts';
import { wordsOf, type Log } from './lib/log.ts';
import { createMethods } from './methods.ts';
import { createOwnCopies, type OwnService } from './session/local-backups.ts';
import { createLocalCompany, type LocalCompanyParts } from './session/local-company.ts';
import type { RunCommand } from './session/embedded-service.ts';
import { createOpenedFile, type OpenedFile } from './window/opened-file.ts';
import { openOrigins } from './window/origins.ts';
import { createBox } from './box/index.ts';
import type { BoxLimits } from './box/limits.ts';
import { createPhone, type Phone, type PhoneLimits, type PhoneParts } from './phone/index.ts';
import { phoneNetworks } from './phone/networks.ts';
import { openPhotos } from './photos/index.ts';
import { createBatches } from './http/batches.ts';
import { createApi } from './http/request.ts';
import { readProxies, type SystemProxy } from './http/proxy.ts';
import { lineOf, linesFile } from './lib/log-file.ts';
import { keepRecent } from './lib/recent-log.ts';
import { openSession } from './session/session.ts';
import type { Session, SessionParts } from './session/session-types.ts';
import { lazyProviderClient } from './session/sign-in/lazy-provider-client.ts';
import { openSettings } from './lib/settings.ts';
import type { SystemSend } from './http/system-send.ts';
import { createTransport, type TransportLimits } from './http/http-client.ts';
import { longSecrets } from './vault/long-secrets.ts';
import type { Vault } from './vault/index.ts';
import { copyBeforeNewVersion } from './window/version-copy.ts';
import { openWindowStore } from './window/window-store.ts';

export interface HostOptions {
  /** Folder for everything the host stores. Created with mode 0700 if missing. */
  readonly data_dir: string;
  /** The `IndexedDB` folder of the window's browser profile, if the shell owns it. The window must not have opened it yet. */
  readonly window_store?: string;
  readonly vault: Vault;
  readonly clock?: Clock;
  /** Starts the embedded service in a separate process. Null if this shell cannot start it. */
  readonly start_service: StartService | null;
  /** Runs a command of the embedded service on its data folder. Omit if this shell cannot run one. */
  readonly run_command?: RunCommand;
  /** The local company on this laptop. Omit if the shell does not support it. */
  readonly local_company?: LocalCompanyParts;
  /** Opens a link in the system's default program. Resolves to false on failure. If omitted, no link can be opened. */
  readonly open_link?: (href: string) => Promise<boolean>;
  /** HTML of the phone's page, built as one file. If omitted, photos cannot come from a phone. */
  readonly phone_page?: string;
  readonly phone_limits?: PhoneLimits;
  /** HTML of the report box's page. If omitted, there is no report box. */
  readonly report_page?: string;
  readonly box_limits?: BoxLimits;
  /** The port reserved for this laptop's window, if another program occupies it. */
  readonly port_taken?: () => number | null;
  /** The server that the connect screen preselects. Null preselects this laptop. */
  readonly default_server?: string | null;
  /** The company policy as policy.ts reads it. Default: no policy. */
  readonly policy?: PolicyView;
  readonly shell: HostAnswer<'app.info'>['shell'];
  readonly version: string;
  /** URL of the reply-worker.ts script: `REPLY_WORKER`, or the shell's bundled copy of it. */
  readonly reply_worker: URL;
  readonly log: Log;
  /** Tests override this and `free_space`: shorter deadlines, a fake measure of the disk. */
  readonly limits?: TransportLimits;
  /** Environment variables that may name proxies. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Looks up the system's proxy settings. Omit if the shell cannot query them. */
  readonly system_proxy?: SystemProxy;
  /** The shell's own network stack. Omit if it has none. */
  readonly system_send?: SystemSend;
  readonly free_space?: (folder: string) => Promise<number>;
  /** Called with a sentence for the user after the host stopped because it lost the lock on the data folder. */
  readonly lost?: (detail: string) => void;
}

/** Why the host did not start. `detail` is a sentence for the user. */
export interface StartProblem {
  readonly kind: 'already_running' | 'no_space' | 'unusable_folder';
  readonly detail: string;
}
/** The host API, plus methods for the shell alone: send a request to the window, report the shell's state, offer a file. */
export type Host = HostApi &
  Pick<ShellBridge, 'ask' | 'setDesktop'> & {
    /** Offers the window a file that the user opened with Spotter. */
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
    emit: (event: HostEvent): void => {
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

/** Files that mark a folder as ours. Electron creates its profile folder inside it before the host starts. */
const NAMES: FolderNames = {
  ours: ['journal', 'session.json', 'host.lock.db'],
  before: ['electron', 'browser'],
};

/**
 * Creates the data folder, restricts access to it, and logs a warning if its location is unsuitable. @throws {UnusableFolder}
 */
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

const fixedBy = ({ start_with_system }: PolicyView): Partial<Settings> =>
  start_with_system === null ? {} : { start_with_system };

/** The company's policy. Logs the lines that cannot be understood. */
const policyOf = (options: HostOptions, log: Log): PolicyView => {
  const policy = options.policy ?? NO_POLICY;
  for (const name of policy.ignored)
    log({ level: 'warn', message: `the company’s policy cannot be understood: ${name}` });
  return policy;
};

const openTransport = (options: HostOptions, log: Log) => {
  const { proxies, unusable } = readProxies(options.env ?? process.env);
  for (const name of unusable)
    log({ level: 'warn', message: `${name} is not the address of a proxy: it is not used` });
  const { system_proxy, system_send, policy } = options;
  return createTransport(options.limits, {
    proxies,
    system_proxy,
    system_send,
    always_system: policy?.system_network ?? false,
  });
};

/** Free bytes in the data folder. Null if unknown. */
const freeIn = async ({ data_dir, free_space = freeSpace }: HostOptions) => {
  const free = await free_space(data_dir).catch(() => null);
  return free !== null && Number.isSafeInteger(free) ? free : null;
};

const copiesOf = (
  { run_command, local_company }: HostOptions,
  session: Session,
  services: SessionParts['services'],
  log: Log,
) => {
  const withCommand = (embedded: Embedded, command: RunCommand | undefined): OwnService | null =>
    command === undefined ? null : { embedded, command };
  return createOwnCopies({
    session,
    services: {
      this_laptop: withCommand(services.this_laptop, run_command),
      local_company: withCommand(services.local_company, local_company?.command),
    },
    log,
  });
};

/** What phones reach: photos for a report while its code is shown, and the report box. */
const openPhones = async (
  options: HostOptions,
  { emit, ...parts }: Pick<PhoneParts, 'clock' | 'log'> & { emit: (event: HostEvent) => void },
) => {
  const shared = {
    ...parts,
    networks: () => phoneNetworks(options.env ?? process.env),
    free_space: options.free_space ?? freeSpace,
    notice: { text: '' },
  };
  const from_phone = await createPhone({
    ...shared,
    folder: join(options.data_dir, 'phone'),
    page: options.phone_page ?? null,
    changed: () => emit({ kind: 'phone.changed' }),
    limits: options.phone_limits,
  });
  const box = await createBox({
    ...shared,
    folder: join(options.data_dir, 'box'),
    page: options.report_page ?? null,
    changed: () => emit({ kind: 'box.changed' }),
    limits: options.box_limits,
  });
  return { from_phone, box, notice: shared.notice };
};

const openWith = async (
  options: HostOptions,
  journal: Journal,
  { log, said }: ReturnType<typeof keepRecent>,
): Promise<Host> => {
  const { data_dir } = options;
  const vault = longSecrets(options.vault);
  const clock = options.clock ?? systemClock;
  const events = createEvents(log);
  const bridge = createShellBridge(events.emit);
  const opened = createOpenedFile(bridge.ask);
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
  const policy = policyOf(options, log);
  const settings = await openSettings(
    data_dir,
    (changed) => events.emit({ kind: 'settings.changed', settings: changed }),
    fixedBy(policy),
  );
  const transport = openTransport(options, log);
  const open_link = options.open_link ?? (async () => false);
  const large = createLargeReplies(options.reply_worker);
  const api = createApi(transport, clock, large);
  const local_company = options.local_company ?? null;
  const said_state = (running: boolean, detail: string) =>
    events.emit({ kind: 'service.state', running, detail });
  const serviceOf = (start: StartService | null) => createEmbedded(start, said_state, log);
  const services = {
    this_laptop: serviceOf(options.start_service),
    local_company: serviceOf(local_company?.start ?? null),
  };
  const company = createLocalCompany(local_company, log);
  let phone: Phone | null = null;
  let packs: EvidencePacks | null = null;
  let before: SessionView | null = null;
  const session = await openSession({
    folder: data_dir,
    api,
    batches: createBatches(api, clock),
    vault,
    provider: lazyProviderClient(transport),
    open_link,
    services,
    local_company: company,
    clock,
    log,
    changed: (view) => {
      // Photos from a phone belong to the draft of the account that let the phone in, and a pack to the admin who asked for it, so
      // a change of account closes both.
      const ended = before?.state === 'ready' && view.state !== 'ready';
      if (ended || view.account !== before?.account) {
        void phone?.close('account');
        void packs?.close();
      }
      before = view;
      events.emit({ kind: 'session.changed', session: view });
    },
  });
  const photos = await openPhotos({
    folder: join(data_dir, 'photos'),
    api,
    transport,
    session,
    clock,
    emit: events.emit,
    named: journal.names,
    mentions: journal.mentions,
    settings: settings.get,
    free_space: options.free_space,
  });
  const evidence = await createEvidencePacks({
    folder: join(data_dir, 'evidence'),
    api,
    transport,
    session,
    clock,
  });
  packs = evidence;
  before = session.view();
  const { from_phone, box, notice } = await openPhones(options, { clock, log, emit: events.emit });
  phone = from_phone;
  const info = () => ({
    version: options.version,
    shell: options.shell,
    platform: process.platform,
    node: process.version,
    default_server: policy.server ?? options.default_server ?? null,
    policy,
    port_taken: options.port_taken?.() ?? null,
    embedded: options.start_service !== null,
    local_company: company.exists(),
  });
  const copies = copiesOf(options, session, services, log);
  const origins = openOrigins(data_dir);
  const kept = { settings, copies, photos, evidence, journal, store, origins };
  const parts = {
    info,
    policy,
    bridge,
    opened,
    session,
    ...kept,
    phone: from_phone,
    notice,
    box,
    said,
    open_link,
    disk: () => freeIn(options),
  };
  return {
    call: createDoor(createMethods(parts), log),
    listen: events.listen,
    ask: bridge.ask,
    setDesktop: bridge.setDesktop,
    offerFile: opened.offer,
    stop: async () => {
      await from_phone.stop();
      await box.stop();
      await evidence.close();
      await photos.close();
      await transport.stop();
      await large.stop();
      await journal.close();
      await Promise.all([services.this_laptop.stop(), services.local_company.stop()]);
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

/** Starts the host on a data folder, or returns why it cannot. Only one host runs per folder (failures A21, A22). */
export const startHost = async (options: HostOptions): Promise<StartResult> => {
  const { data_dir } = options;
  try {
    await openFolder(data_dir, options.log);
    const lock = lockFolder(data_dir);
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
