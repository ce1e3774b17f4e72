/**
 * The connection between the two halves of the stand-in: the app's process (Electron's main process) and the harness (Chromium,
 * in the test's process). Each side calls operations by name; both tables of operations are typed here.
 */

/** A sending frame, in the shape of Electron's WebFrameMain: `parent` is null for the main frame. */
interface FrameSeen {
  readonly url: string;
  readonly parent: object | null;
}

interface ProtocolAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export type Permissions = Readonly<Record<string, 'granted' | 'denied'>>;

export interface MenuSeen {
  readonly id: string;
  readonly label: string;
  readonly role: string;
  readonly type: string;
  readonly accelerator: string;
  readonly enabled: boolean;
  readonly checked: boolean;
  readonly submenu: readonly MenuSeen[];
}

export interface DialogSeen {
  readonly id: number;
  readonly kind: 'message' | 'error' | 'open' | 'save';
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

interface TraySeen {
  readonly title: string;
  readonly tooltip: string;
  readonly menu: readonly MenuSeen[];
}

export interface NoticeSeen {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

/** One call of the app to Electron. */
export interface Call {
  readonly name: string;
  readonly given: readonly unknown[];
}

/** Operations that the app's process requests from Chromium. */
export interface ChromiumOps {
  open(given: {
    window: number;
    url: string;
    user_data: string;
    preload: string | null;
    width: number;
    height: number;
    dark: boolean;
    permissions: Permissions;
  }): Promise<void>;
  send(given: { window: number; channel: string; args: readonly unknown[] }): Promise<void>;
  close(given: { window: number }): Promise<void>;
  reload(given: { window: number }): Promise<void>;
  crash(given: { window: number }): Promise<void>;
  keys(given: { window: number; keys: string }): Promise<void>;
  pdf(given: { window: number; paper: 'A4' | 'Letter' }): Promise<Uint8Array>;
  scheme(given: { dark: boolean | null }): Promise<void>;
}

/** Operations that the harness requests from the app's process: actions of Chromium, the system or a user. */
export interface AppOps {
  protocol(given: {
    url: string;
    method: string;
    headers: Readonly<Record<string, string>>;
  }): Promise<ProtocolAnswer | null>;
  invoke(given: {
    window: number;
    channel: string;
    args: readonly unknown[];
    frame: FrameSeen | null;
  }): Promise<unknown>;
  began(given: { window: number }): void;
  loaded(given: { window: number; title: string }): void;
  shown(given: { window: number }): void;
  gone(given: { window: number }): void;
  /** A page requests something outside the app; it is always blocked. */
  requests(given: { url: string }): void;
  /** True if the app prevented it. */
  navigates(given: { window: number; url: string; main: boolean }): boolean;
  opens(given: { window: number; url: string }): 'allow' | 'deny';
  calls(given: null): readonly Call[];
  menu(given: null): readonly MenuSeen[];
  contextMenu(given: {
    window: number;
    params: Readonly<Record<string, unknown>>;
  }): Promise<readonly MenuSeen[]>;
  choose(given: { menu: 'app' | 'context' | 'tray'; path: readonly string[] }): void;
  press(given: { accelerator: string }): boolean;
  /** Marks these keys as taken by another program. */
  keysTaken(given: { accelerators: readonly string[] }): void;
  dialogs(given: null): readonly DialogSeen[];
  answer(given: { id: number; button: number; path?: string; checked?: boolean }): void;
  tray(given: null): readonly TraySeen[];
  notices(given: null): readonly NoticeSeen[];
  pressNotice(given: { id: number }): void;
  power(given: { event: string }): void;
  /** Whether the page may read, or write, a folder that a person chose; asked as Chromium asks Electron. */
  fileAccess(given: { access: 'readable' | 'writable' }): Promise<'granted' | 'denied'>;
  /** A download of the window that a person saves at `path`. Returns the offered path. */
  download(given: { filename: string; path: string }): string;
  /** The system has no program for this scheme. */
  noProgramFor(given: { scheme: string }): void;
  /** Emits an event of the app (`open-url`, `activate`) as the system does, `times` times at once. */
  appEvent(given: { event: string; args: readonly unknown[]; times?: number }): void;
  /** Windows ends the session: shutdown, log-off or update. `held`: the app asked it to wait. */
  endSession(given: null): 'held' | 'ends';
  windowEvent(given: { window: number; event: string }): void;
  /** Presses the window's close button. */
  askToClose(given: { window: number }): void;
  /** Throws an uncaught error in the main process. */
  throws(given: { message: string }): void;
  quit(given: null): void;
  /** The updater of macOS installs a newer version. */
  squirrelPutsIn(given: null): void;
}

interface Message {
  readonly id?: number;
  readonly op?: string;
  readonly given?: unknown;
  readonly re?: number;
  readonly value?: unknown;
  readonly error?: string;
}

export interface Port {
  send(message: object): void;
  hear(listener: (message: unknown) => void): void;
}

/** The other side's operations, each returning a promise. */
export type Asked<Theirs> = <K extends keyof Theirs & string>(
  op: K,
  given: Theirs[K] extends (given: infer G) => unknown ? G : never,
) => Promise<Awaited<Theirs[K] extends (given: never) => infer R ? R : never>>;

export interface Peer<Theirs> {
  readonly ask: Asked<Theirs>;
  /** The other side is gone: rejects all pending calls. */
  end(why: string): void;
}

export const createPeer = <Theirs, Ours extends object>(
  port: Port,
  answers: Ours,
): Peer<Theirs> => {
  const waiting = new Map<number, { done(value: unknown): void; failed(error: Error): void }>();
  let count = 0;
  let ended: string | null = null;
  const table = answers as Readonly<Record<string, (given: unknown) => unknown>>;

  const reply = async ({ id, op = '', given }: Message): Promise<void> => {
    try {
      const answer = table[op];
      if (answer === undefined) throw new Error(`the stand-in has no operation ${op}`);
      port.send({ re: id, value: await answer(given) });
    } catch (error) {
      port.send({ re: id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  port.hear((raw) => {
    const message = raw as Message;
    if (message.re === undefined) return void reply(message);
    const asked = waiting.get(message.re);
    waiting.delete(message.re);
    if (message.error === undefined) asked?.done(message.value);
    else asked?.failed(new Error(message.error));
  });

  return {
    ask: (op, given) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(new Error(ended));
        count += 1;
        waiting.set(count, { done: resolve as (value: unknown) => void, failed: reject });
        port.send({ id: count, op, given });
      }),
    end: (why) => {
      ended = why;
      for (const { failed } of waiting.values()) failed(new Error(why));
      waiting.clear();
    },
  };
};
