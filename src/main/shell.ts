/**
 * The shell as long as it runs: what it knows of settings, queue and service, and what window, menu and tray show of it. Few facts, each
 * from one place; what they decide is in files of their own.
 */
import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, powerSaveBlocker, shell } from 'electron';
import type { WindowAsk } from '../contract/asks.ts';
import { hostMethods } from '../contract/host.ts';
import { settingsSchema } from '../contract/settings.ts';
import { systemClock } from '../host/clock.ts';
import type { Host } from '../host/index.ts';
import type { Arguments, Opened } from './arguments.ts';
import { onClose } from './closing.ts';
import { giveContextMenu, savePdf, setMenu, tellNotice } from './desktop.ts';
import { developingFile } from './developing.ts';
import { askClosing, askHanging, askStopped } from './dialogs.ts';
import type { CrashNote } from './crash-note.ts';
import { countDeaths, keepAlive } from './health.ts';
import { noticeOf } from './notices.ts';
import { keepAwake } from './power.ts';
import type { OpenedByEvent } from './opened.ts';
import type { SaveFolder } from './save-folder.ts';
import type { CannotRun } from './start-problem.ts';
import { after, type Known, NOTHING_KNOWN, sentOf } from './standing.ts';
import { keepTray, type KeptTray } from './tray.ts';
import { openWindow } from './window.ts';
import { type Words, wordsFor } from './words/words.ts';

export interface ShellOptions extends Arguments {
  /** The built program's folder. */
  readonly out: string;
  readonly log: (text: string) => void;
  /** Links and files that macOS hands over. */
  readonly events: OpenedByEvent;
  /** Says why Spotter cannot run, and ends. */
  readonly cannot: (problem: CannotRun) => Promise<void>;
}

/** What a run keeps beside the shell. */
export interface Kept {
  readonly crashes: CrashNote;
  readonly saves: SaveFolder;
}

const mac = process.platform === 'darwin';

export class Shell {
  settings = settingsSchema.parse({});
  known: Known = NOTHING_KNOWN;
  quitting = false;
  service: string | null = null;
  tray: KeptTray | null = null;
  readonly #host: Host;
  readonly #options: ShellOptions;
  readonly #kept: Kept;
  readonly #awake = keepAwake(powerSaveBlocker);
  #saving = false;
  readonly #tooOften = countDeaths(() => systemClock.now());

  constructor(host: Host, options: ShellOptions, kept: Kept) {
    this.#kept = kept;
    this.#host = host;
    this.#options = options;
  }

  get words(): Words {
    return wordsFor(this.settings.language, app.getPreferredSystemLanguages());
  }
  get window(): BrowserWindow | undefined {
    return BrowserWindow.getAllWindows()[0];
  }

  readonly ask = (ask: WindowAsk): void => this.#host.ask(ask);
  /** From outside the window: it comes to the front with what was asked for. */
  readonly askInFront = (ask: WindowAsk): void => {
    this.toFront();
    this.ask(ask);
  };
  /** What the system handed over. */
  readonly take = (opened: Opened): void => {
    if (opened.kind === 'link') this.ask(opened.ask);
    else this.#host.offerFile(opened.path);
  };
  readonly quit = (): void => app.quit();

  readonly toFront = (): void => {
    // A program that ends opens nothing more.
    if (this.quitting && this.window === undefined) return;
    const window = this.window ?? this.open();
    if (window.isMinimized()) window.restore();
    if (!window.isVisible()) window.show();
    window.focus();
  };

  open(): BrowserWindow {
    const { out, data_dir, log } = this.#options;
    const window = openWindow({
      preload: join(out, 'preload/index.cjs'),
      icon: join(out, 'renderer/icon.png'),
      state: join(data_dir, 'window.json'),
      // macOS brings its own dictionaries; elsewhere Chromium fetches them from its maker.
      spelling: mac || this.settings.spelling,
      show: true,
    });
    giveContextMenu(window.webContents, () => this.words);
    keepAlive(window, {
      log,
      ended: this.#kept.crashes.ended,
      ask: this.ask,
      tooOften: this.#tooOften,
      hangs: (signal) => askHanging(window, this.words, signal),
      stopped: async () => {
        const again = await askStopped(window, this.words, data_dir);
        if (!again) this.quit();
        return again;
      },
    });
    window.on('close', (event) => this.#closing(window, event));
    if (developingFile(app.isPackaged, process.env) !== null)
      window.webContents.openDevTools({ mode: 'detach' });
    return window;
  }

  #closing(window: BrowserWindow, event: { preventDefault(): void }): void {
    const { waiting } = this.known;
    const answer = onClose(waiting, this.settings.when_closed, { quitting: this.quitting, mac });
    if (answer === 'close') return;
    event.preventDefault();
    if (answer === 'hide') return window.hide();
    void askClosing(window, waiting, this.words).then(({ answer: chosen, remember }) => {
      if (chosen === 'cancel') return;
      if (remember) void this.#host.call('settings.set', { when_closed: chosen });
      if (chosen === 'keep_sending') window.hide();
      else this.quit();
    });
  }

  /** Everything that hangs on settings, the queue or the service, said again. */
  #show(): void {
    nativeTheme.themeSource = this.settings.theme;
    const { service } = this;
    setMenu(
      this.words,
      {
        ask: this.askInFront,
        savePdf: () => this.askInFront({ ask: 'do', what: 'pdf' }),
        openDocs: service === null ? null : () => void shell.openExternal(`${service}/docs`),
      },
      { mac, developing: !app.isPackaged },
    );
    this.#count();
  }
  #count(): void {
    this.tray?.show(this.known.waiting, sentOf(this.known), this.words, this.known.newer);
    this.#awake(this.known.sending > 0);
  }

  async begin(): Promise<void> {
    const { result } = await this.#host.call('settings.get', {});
    const read = result.ok && hostMethods['settings.get'].output.safeParse(result.value);
    if (read && read.success) this.settings = read.data;
    this.#host.listen((event) => {
      const was = this.known;
      this.known = after(was, event);
      if (event.kind === 'settings.changed') this.settings = event.settings;
      if (event.kind === 'desktop.asked' && event.what === 'save_pdf') void this.#savePdf();
      if (event.kind === 'service.state') this.service = event.running ? event.detail : null;
      if (event.kind === 'settings.changed' || event.kind === 'service.state') this.#show();
      else if (this.known !== was) this.#changed(was);
    });
    this.tray = keepTray(
      join(this.#options.out, 'renderer/icon.png'),
      { show: this.toFront, ask: this.askInFront, quit: this.quit },
      () => this.window,
    );
    this.#show();
    this.open();
  }

  /** One dialog at a time: the pages stand in the window until it is answered. */
  async #savePdf(): Promise<void> {
    if (this.#saving) return;
    this.#saving = true;
    await savePdf(this.window, this.words, this.#kept.saves).finally(() => (this.#saving = false));
    this.ask({ ask: 'do', what: 'pdf_over' });
  }

  #changed(was: Known): void {
    this.#count();
    const { window } = this;
    const away = window === undefined || !window.isFocused();
    const notice = noticeOf(was, this.known, away);
    if (notice !== null && this.settings.notices)
      tellNotice(notice, this.known, this.words, this.askInFront);
    // The app went on only to send what waited.
    if (notice === 'all_sent' && !mac && window !== undefined && !window.isVisible()) this.quit();
  }
}
