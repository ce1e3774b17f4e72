/**
 * Holds the shell's state while it runs: settings, queue and service. Updates window, menu and tray from that state. Each fact
 * has one source, and the decisions are in separate files.
 */
import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, powerSaveBlocker, shell } from 'electron';
import type { WindowAsk } from '../contract/asks.ts';
import { hostMethods } from '../contract/host.ts';
import { type Settings, settingsSchema } from '../contract/settings.ts';
import { systemClock } from '../host/lib/clock.ts';
import type { Host } from '../host/index.ts';
import type { Arguments, Opened } from './arguments.ts';
import { giveContextMenu, savePdf, setMenu, tellNotice } from './desktop.ts';
import { developingFile } from './developing.ts';
import { askHanging, askStopped } from './window/dialogs.ts';
import type { CrashNote } from './self-test/crash-note.ts';
import { countDeaths, keepAlive } from './window/health.ts';
import type { Facts } from './self-test/facts.ts';
import { Leaving } from './leaving.ts';
import { noticeOf } from './system/notices.ts';
import { keepAwake } from './system/power.ts';
import type { OpenedByEvent } from './system/opened.ts';
import type { SaveFolder } from './window/save-folder.ts';
import type { CannotRun } from './start-problem.ts';
import { after, type Known, NOTHING_KNOWN, sentOf } from './self-test/standing.ts';
import { keepTray, type KeptTray } from './system/tray.ts';
import { followSight, onFailedLoad, openWindow } from './window/window.ts';
import { type Words, wordsFor } from './words/words.ts';

export interface ShellOptions extends Arguments {
  /** The built program's folder. */
  readonly out: string;
  readonly log: (text: string) => void;
  readonly events: OpenedByEvent;
  /** Says why Spotter cannot run, then ends. */
  readonly cannot: (problem: CannotRun) => Promise<void>;
}

/** Objects that a run shares with the shell. */
export interface Kept {
  readonly crashes: CrashNote;
  readonly saves: SaveFolder;
  readonly facts: Facts;
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
  readonly #leaving = new Leaving(this);
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
  /** Brings the window to the front and passes it a request from outside. */
  readonly askInFront = (ask: WindowAsk): void => {
    this.toFront();
    this.ask(ask);
  };
  /** Opens a link or file handed over by the system. */
  readonly take = (opened: Opened): void => {
    if (opened.kind === 'link') this.ask(opened.ask);
    else this.#host.offerFile(opened.path);
  };
  readonly quit = (): void => app.quit();
  readonly remember = (when_closed: Settings['when_closed']): void =>
    void this.#host.call('settings.set', { when_closed });
  readonly writeNow = (): void => this.#kept.facts.update({ in_sight: false });

  readonly toFront = (): void => {
    // Opens no new window while the program ends.
    if (this.quitting && this.window === undefined) return;
    this.#leaving.hidden = false;
    const window = this.window ?? this.open();
    if (window.isMinimized()) window.restore();
    if (!window.isVisible()) window.show();
    window.focus();
  };

  /** @param show false keeps the window hidden until a person asks for it */
  open(show = true): BrowserWindow {
    const { out, data_dir, log } = this.#options;
    const window = openWindow({
      preload: join(out, 'preload/index.cjs'),
      icon: join(out, 'renderer/icon.png'),
      state: join(data_dir, 'window.json'),
      // Chromium downloads dictionaries, except on macOS, which has its own.
      spelling: mac || this.settings.spelling,
      show,
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
    this.#leaving.follow(window);
    followSight(window, show, (in_sight) => this.#kept.facts.update({ in_sight }));
    onFailedLoad(window, (detail) => void this.#options.cannot({ kind: 'damaged', detail }));
    if (developingFile(app.isPackaged, process.env) !== null)
      window.webContents.openDevTools({ mode: 'detach' });
    return window;
  }

  /** Refreshes everything that depends on settings or the service. */
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

  async begin(hidden = false): Promise<void> {
    const { result } = await this.#host.call('settings.get', {});
    const read = result.ok && hostMethods['settings.get'].output.safeParse(result.value);
    if (read && read.success) this.settings = read.data;
    this.#host.listen((event) => {
      const was = this.known;
      this.known = after(was, event);
      this.#leaving.changed();
      if (event.kind === 'settings.changed') this.settings = event.settings;
      if (event.kind === 'desktop.asked' && event.what === 'save_pdf') void this.#savePdf();
      if (event.kind === 'service.state') this.service = event.running ? event.detail : null;
      if (event.kind === 'settings.changed' || event.kind === 'service.state') this.#show();
      else if (this.known !== was) this.#changed(was);
    });
    this.tray = keepTray(
      join(this.#options.out, 'renderer'),
      { show: this.toFront, ask: this.askInFront, quit: this.quit },
      () => this.window,
    );
    this.#show();
    this.open(!hidden);
  }

  /** Shows one dialog at a time: the window keeps the printed pages until the dialog is closed. */
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
    // The hidden app kept running only to send the queue.
    if (notice === 'all_sent' && !mac && this.#leaving.hidden) this.quit();
  }
}
