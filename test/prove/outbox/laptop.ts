/**
 * The laptop of a run: a host, a browser with one or two windows, and the network before its service. Whatever is killed at a
 * named point is restarted, repeatedly, until everything runs (`healthy`).
 */
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { Chaos } from '../../support/chaos.ts';
import type { Server } from '../../support/server.ts';
import { tempDir } from '../../support/service.ts';
import type { Point, WindowState } from './actions.ts';
import { driverHands, type Hands, personHands } from './hands.ts';
import { type Browser, createHostProcess, type HostProcess } from './machine.ts';
import type { Logged } from './oracle.ts';
import { pointsAt } from './points.ts';
import type { Kill, PointName, Script, Victim } from './script.ts';
import { shut, sleep, within } from './wait.ts';
import { createWeather, inFlight, type Weather } from './weather.ts';

/** Resources that a worker reuses from run to run. */
export interface Bench {
  readonly server: Server;
  readonly browser: Browser;
  /** The built driver page, and the built window. */
  readonly driver_files: string;
  readonly window_files: string;
}

export class Laptop {
  readonly script: Script;
  readonly bench: Bench;
  readonly folder = tempDir('prove-laptop');
  readonly host: HostProcess;
  readonly hands: Hands;
  readonly files: string;
  readonly log: Logged[] = [];
  readonly killed: Kill[] = [];
  readonly told: string[] = [];
  readonly weather: Weather;
  chaos!: Chaos;
  windows: (Page | null)[] = [null, null];
  interruptions = 0;
  /** Settles when everything that was killed runs again. */
  recovery: Promise<void> = Promise.resolve();
  open: Kill[];
  dead = new Set<Victim>();
  /** Windows admitted by a host that has ended. */
  stale = new Set<0 | 1>();
  reachedSoFar = new Map<PointName, number>();
  opened = new Map<Page, (problem: string | null) => void>();
  /** The most recently requested opening of a window. */
  opening: Promise<unknown> = Promise.resolve();
  /** True: no more kills. */
  over = false;
  ended = false;

  constructor(script: Script, bench: Bench) {
    this.script = script;
    this.bench = bench;
    this.files = script.person ? bench.window_files : bench.driver_files;
    this.host = createHostProcess(this.folder.path, this.files);
    this.hands = script.person ? personHands(join(this.folder.path, 'picked')) : driverHands;
    this.open = [...script.kills];
    this.weather = createWeather(script, (point) => this.reached(point, null));
  }

  /** Kills at this point if the script says so. Returns a promise that settles once the victims are dead, or null. */
  reached(point: PointName, page: Page | null): Promise<void> | null {
    if (this.over) return null;
    const times = (this.reachedSoFar.get(point) ?? 0) + 1;
    this.reachedSoFar.set(point, times);
    const kill = this.open.find((one) => one.point === point && one.nth <= times);
    if (kill === undefined) return null;
    this.open = this.open.filter((one) => one !== kill);
    this.killed.push(kill);
    this.note(`killed ${kill.victim} at ${point} (${times})`);
    if (inFlight(this.chaos.seen) > 0) this.interruptions += 1;
    const dead = this.kill(kill.victim, page);
    const before = this.recovery;
    this.recovery = (async () => {
      await before.catch(() => undefined);
      await dead;
      await sleep(kill.linger);
      await this.recover();
    })();
    this.recovery.catch(() => undefined);
    return dead;
  }

  /** An abandoned run must stop: its browser and service serve the next one. */
  goesOn(): void {
    if (this.ended) throw new Error('this run is over');
  }

  note(text: string): void {
    this.told.push(text);
  }

  async kill(victim: Victim, page: Page | null): Promise<void> {
    if (victim === 'host' || victim === 'service') this.dead.add(victim);
    if (victim === 'host') return this.host.kill();
    if (victim === 'service') return this.bench.server.stop('SIGKILL');
    if (victim === 'browser') {
      this.windows = [null, null];
      return this.bench.browser.kill();
    }
    // Its browser may be dying from another kill at the same point.
    await this.crash(page ?? this.windows[0] ?? null).catch((error: unknown) => {
      this.note(`crash: ${String(error).slice(0, 100)}`);
    });
  }

  async crash(page: Page | null): Promise<void> {
    if (page === null || page.isClosed()) return;
    const crashed = new Promise<void>((resolve) => page.once('crash', () => resolve()));
    const devtools = await page.context().newCDPSession(page);
    devtools.send('Page.crash').catch(() => undefined);
    await within('the page crashes', 15_000, crashed);
    this.windows = this.windows.map((one) => (one === page ? null : one));
    this.opened.get(page)?.('crashed');
    await shut(page);
  }

  /** Kills the host, runs `work` on its folder, and restarts it. */
  whileHostIsDead(work: () => Promise<void>): Promise<void> {
    const before = this.recovery;
    this.recovery = (async () => {
      await before.catch(() => undefined);
      await this.kill('host', null);
      await work();
      await this.recover();
    })();
    this.recovery.catch(() => undefined);
    return this.healthy();
  }

  /** Restarts everything that is dead, including what is killed during the restart. */
  async recover(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      this.goesOn();
      const was = [...this.dead];
      try {
        if (this.dead.delete('service')) await this.bench.server.start();
        await this.wakeHost();
        for (const index of [0, 1] as const) {
          await this.openWindow(index, () => {
            const lost = this.stale.has(index) && this.windows[index] !== null;
            return lost || (index === 0 && this.windows[0] === null);
          });
        }
        return;
      } catch (error) {
        if (tries === 4) throw error;
        this.note(`starting again: ${String(error).slice(0, 200)}`);
        for (const victim of was) this.dead.add(victim);
        if (was.includes('host')) await this.host.kill();
        if (was.includes('service')) await this.bench.server.stop('SIGKILL');
      }
    }
  }

  /** A restarted host knows none of the windows, so they are reopened with its next address. */
  async wakeHost(): Promise<void> {
    if (!this.dead.delete('host')) return;
    await this.host.start();
    for (const index of [0, 1] as const) if (this.windows[index] !== null) this.stale.add(index);
  }

  /** Opens windows in sequence and checks `needed` in turn: two openings of the same window would leave one behind. */
  openWindow(index: 0 | 1, needed = () => true): Promise<void> {
    const turn = this.opening
      .catch(() => undefined)
      .then(() => (needed() ? this.openNow(index) : undefined));
    this.opening = turn;
    return turn;
  }

  /** Opens a window and waits until it has started; if it is killed meanwhile, opens it again. */
  async openNow(index: 0 | 1): Promise<void> {
    for (let tries = 0; tries < 6; tries += 1) {
      this.goesOn();
      try {
        await this.wakeHost();
        this.stale.delete(index);
        const page = this.windows[index] ?? (await this.bench.browser.page());
        this.windows[index] = page;
        const started = new Promise<string | null>((resolve) => this.opened.set(page, resolve));
        page.once('close', () => this.opened.get(page)?.('closed'));
        await within('the window loads', 20_000, page.goto(await this.host.address()));
        const problem = this.hands.tells
          ? await within('the window starts', 30_000, started)
          : await page.waitForURL((url) => url.pathname === '/').then(() => null);
        this.opened.delete(page);
        if (problem === null) return;
        this.note(`the window did not start: ${problem}`);
      } catch (error) {
        this.note(`the window did not open: ${String(error).slice(0, 200)}`);
      }
      const page = this.windows[index];
      this.windows[index] = null;
      await shut(page);
    }
    throw new Error(`the window does not open: ${this.told.slice(-4).join('; ')}`);
  }

  async hear(page: Page, point: Point): Promise<void> {
    if (point.when === 'open') return this.opened.get(page)?.(point.problem);
    for (const name of pointsAt(point)) {
      const dead = this.reached(name, page);
      if (dead !== null) await dead;
    }
  }

  /** Waits until nothing is dead. */
  async healthy(): Promise<void> {
    for (;;) {
      const now = this.recovery;
      await now;
      if (now === this.recovery) return;
    }
  }

  async signIn(): Promise<void> {
    this.weather.refused = false;
    const { plan } = this.chaos;
    this.chaos.plan = () => null;
    const { company_id, project_id, token } = this.bench.server.first;
    const input = { address: this.chaos.url, company_id, project_id, token };
    for (let tries = 1; tries <= 3; tries += 1) {
      const problem = await this.ask((page) => this.hands.connect(page, input)).catch(String);
      if (problem === null) break;
      this.note(`signing in: ${problem.slice(0, 200)}`);
      await this.healthy();
      if (!this.hands.tells) await this.openWindow(0);
    }
    if (!this.over) this.chaos.plan = plan;
  }

  async ask<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const [page] = this.windows;
    if (!page) throw new Error('no window is open');
    return within('the window answers', this.hands.patience, work(page));
  }

  async state(): Promise<WindowState | null> {
    try {
      return await this.ask((page) => this.hands.state(page));
    } catch {
      return null;
    }
  }

  async end(): Promise<void> {
    this.over = true;
    this.ended = true;
    for (const page of this.windows) await shut(page);
    await this.host.kill();
    await this.chaos?.close();
    this.folder.remove();
  }

  /** The holder of the leader lock, and each window's own report. */
  async pagesNow(): Promise<string> {
    const told = this.bench.browser.pages().map(async (page) => {
      const locks = await page.evaluate(() => navigator.locks.query());
      const state = this.hands.tells ? await this.hands.state(page).catch(String) : null;
      return { mine: this.windows.indexOf(page), locks, state };
    });
    const all = told.map((one) => within('a page tells', 5_000, one).catch(String));
    return JSON.stringify(await Promise.all(all));
  }
}
