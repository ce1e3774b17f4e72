/**
 * One run: a laptop (host, Chromium), a network that breaks, a service, the seed's script, and at the end the oracle.
 * What a person asks for is written down before it is done, and counts as saved only when the window said so.
 */
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { Chaos } from '../../support/chaos.ts';
import { startChaos } from '../../support/chaos.ts';
import type { Server } from '../../support/server.ts';
import { tempDir } from '../../support/service.ts';
import type { Action, Point, WindowState } from './actions.ts';
import { countsOf, foundAt, outOfOrder, wrongRecords } from './evidence.ts';
import { driverHands, type Hands, personHands } from './hands.ts';
import { type Browser, createHostProcess, type HostProcess } from './machine.ts';
import type { Logged } from './oracle.ts';
import { pointsAt } from './points.ts';
import {
  type FaultKind,
  type Kill,
  type PointName,
  type Script,
  scriptOf,
  type Step,
  type Victim,
} from './script.ts';
import { shut, sleep, within } from './wait.ts';
import { createWeather, inFlight, resentBytes, type Weather } from './weather.ts';

/** What a worker lends to one run after another. */
export interface Bench {
  readonly server: Server;
  readonly browser: Browser;
  /** The built driver page, and the built window. */
  readonly driver_files: string;
  readonly window_files: string;
}

export interface RunReport {
  readonly seed: number;
  readonly failures: readonly string[];
  readonly kills: readonly { readonly point: PointName; readonly victim: Victim }[];
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly acknowledged: number;
  readonly photos: number;
  /** Kills and faults that met photo bytes on their way. */
  readonly interruptions: number;
  readonly resent: number;
  readonly seconds: number;
}

/** So long a script may take: no promise, only an end. Other work on the laptop makes it slow. */
const RUN_MS = 600_000;
/** The queue may stand still for so long, and take so long in all: a laptop with other work to do is slow, not stuck. */
const STILL_MS = 30_000;
const DRAIN_MS = 120_000;

class Run {
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
  /** Windows that an ended host had let in. */
  stale = new Set<0 | 1>();
  reachedSoFar = new Map<PointName, number>();
  opened = new Map<Page, (problem: string | null) => void>();
  /** The last window that was asked to be opened. */
  opening: Promise<unknown> = Promise.resolve();
  /** No more kills. */
  over = false;
  ended = false;

  constructor(script: Script, bench: Bench) {
    this.script = script;
    this.bench = bench;
    this.files = script.person ? bench.window_files : bench.driver_files;
    this.host = createHostProcess(this.folder.path, this.files);
    this.hands = script.person ? personHands(join(this.folder.path, 'picked')) : driverHands;
    this.open = [...script.kills];
    this.weather = createWeather(script.faults, (point) => this.reached(point, null));
  }

  /** Is someone killed here? Then a promise that settles once they are dead. */
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

  /** A run that was given up does nothing more: its browser and service serve the next one. */
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
    // Its browser may be dying of another kill at the same point.
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

  /** Starts whatever is dead, whoever was killed meanwhile; what is killed while it starts is started again. */
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

  /** A host that starts again knows none of the windows: they are opened anew, by its next address. */
  async wakeHost(): Promise<void> {
    if (!this.dead.delete('host')) return;
    await this.host.start();
    for (const index of [0, 1] as const) if (this.windows[index] !== null) this.stale.add(index);
  }

  /** One after the other, `needed` asked when its turn has come: two that open the same window would leave one behind. */
  openWindow(index: 0 | 1, needed = () => true): Promise<void> {
    const turn = this.opening
      .catch(() => undefined)
      .then(() => (needed() ? this.openNow(index) : undefined));
    this.opening = turn;
    return turn;
  }

  /** Opens a window and waits until it has started; killed meanwhile, it is opened again. */
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

  /** Until nothing is dead any more. */
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

  async act(action: Action, index: 0 | 1): Promise<void> {
    const logged: Logged = { action, outcome: null };
    this.log.push(logged);
    const page = this.windows[index] ?? this.windows[0];
    if (!page) return this.note(`${action.do}: no window`);
    try {
      logged.outcome = await within(
        `${action.do} is answered`,
        this.hands.patience,
        this.hands.act(page, action),
      );
      this.note(`${action.do} ${action.key.slice(-4)}: ${JSON.stringify(logged.outcome)}`);
    } catch (error) {
      this.note(`${action.do} ${action.key.slice(-4)}: ${String(error).slice(0, 120)}`);
      // A window that does not answer and was not killed is a failure of its own.
      if (String(error).includes('not within')) await this.healthy();
    }
  }

  async step(step: Step): Promise<void> {
    switch (step.step) {
      case 'act':
        return this.act(step.action, step.window);
      case 'wait':
        return sleep(step.ms);
      case 'settle': {
        const end = performance.now() + step.ms;
        while (performance.now() < end) {
          const state = await this.state();
          if (state !== null && state.entries.length === 0) return;
          await sleep(30);
        }
        return;
      }
      case 'offline':
        this.weather.offline = true;
        return;
      case 'online':
        this.weather.offline = false;
        return;
      case 'second_window':
        return this.openWindow(1);
      case 'close_second': {
        const page = this.windows[1];
        this.windows[1] = null;
        await shut(page);
        return;
      }
      case 'lose_database':
        return this.loseDatabase();
      case 'sleep':
        this.host.signal('SIGSTOP');
        await sleep(step.ms);
        return this.host.signal('SIGCONT');
      case 'second_host':
        return this.secondHost();
    }
  }

  /** Site data is cleared; with odd seeds a second window stays open over it, and nobody opens it again. */
  async loseDatabase(): Promise<void> {
    const [page, second] = this.windows;
    if (!page) return;
    const origin = new URL(page.url()).origin;
    const forgotten = second && this.script.seed % 2 === 1 ? second : null;
    const had = second !== null;
    this.windows = [null, forgotten];
    await shut(page);
    if (forgotten === null) await shut(second);
    this.log.push({ action: { do: 'lose_database' }, outcome: { said: 'saved' } });
    const blank = await this.bench.browser.page();
    const devtools = await blank.context().newCDPSession(blank);
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    await blank.close();
    await this.openWindow(0, () => this.windows[0] === null);
    if (had) await this.openWindow(1, () => this.windows[1] === null);
  }

  async secondHost(): Promise<void> {
    const second = createHostProcess(this.folder.path, this.files);
    const killed = () => this.killed.filter(({ victim }) => victim === 'host').length;
    const before = killed();
    try {
      await second.start();
      // Killed meanwhile, the first holds nothing any more.
      if (killed() === before) this.note('FAILED a second host started on the same folder');
      else this.note('a second host took over from the killed one');
    } catch {
      // What must happen.
    } finally {
      await second.kill();
    }
  }

  async state(): Promise<WindowState | null> {
    try {
      return await this.ask((page) => this.hands.state(page));
    } catch {
      return null;
    }
  }

  async play(): Promise<void> {
    this.chaos = await startChaos(this.bench.server.url, this.weather.plan, true);
    await this.bench.browser.begin((page, point) => this.hear(page, point));
    await this.host.start();
    await this.openWindow(0);
    await this.signIn();
    for (const step of this.script.steps) {
      await this.healthy();
      this.goesOn();
      if (this.weather.refused) await this.signIn();
      await this.step(step);
    }
    await this.healthy();
  }

  /** Fair weather, everything runs, and someone presses "try again": until nothing waits. */
  async drain(): Promise<string | null> {
    this.over = true;
    this.weather.clear();
    await this.healthy();
    const began = performance.now();
    let moved = began;
    let last: WindowState | null = null;
    for (
      let turn = 0;
      performance.now() < Math.min(moved + STILL_MS, began + DRAIN_MS);
      turn += 1
    ) {
      const before = JSON.stringify(last);
      last = await this.state();
      if (JSON.stringify(last) !== before) moved = performance.now();
      if (last !== null) {
        const { entries, tombstones, journal, session } = last;
        if (entries.length === 0 && tombstones === 0 && journal === 0) return null;
        if (session !== 'ready') await this.signIn();
        if (turn % 5 === 1) await this.ask((page) => this.hands.wake(page));
      } else if (turn % 10 === 9) await this.openWindow(0);
      await sleep(60);
    }
    const waited = Math.round(performance.now() - began);
    const others = await this.pagesNow();
    return `not empty after ${waited} ms: ${JSON.stringify(last)}; pages: ${others}`;
  }

  /** Who holds the lead, and what every window says of itself. */
  async pagesNow(): Promise<string> {
    const told = this.bench.browser.pages().map(async (page) => {
      const locks = await page.evaluate(() => navigator.locks.query());
      const state = this.hands.tells ? await this.hands.state(page).catch(String) : null;
      return { mine: this.windows.indexOf(page), locks, state };
    });
    const all = told.map((one) => within('a page tells', 5_000, one).catch(String));
    return JSON.stringify(await Promise.all(all));
  }

  async verdicts(): Promise<readonly string[]> {
    const { seed } = this.script;
    return [
      ...wrongRecords(seed, this.log, await foundAt(this.bench.server, seed)),
      ...outOfOrder(this.chaos.seen),
      ...this.weather.needless.map((path) => `sent again after the service had it: ${path}`),
      ...this.told.filter((text) => text.startsWith('FAILED')),
    ];
  }

  async end(): Promise<void> {
    this.over = true;
    this.ended = true;
    for (const page of this.windows) await shut(page);
    await this.host.kill();
    await this.chaos?.close();
    this.folder.remove();
  }
}

/** Plays a seed. Never throws: what went wrong is in the report. */
export const runSeed = async (
  seed: number,
  bench: Bench,
  say?: (text: string) => void,
): Promise<RunReport> => {
  const began = performance.now();
  const run = new Run(scriptOf(seed), bench);
  const failures: string[] = [];
  try {
    await within('the run', RUN_MS, run.play());
    const left = await run.drain();
    if (left !== null) failures.push(left);
    failures.push(...(await run.verdicts()));
  } catch (error) {
    failures.push(
      `the run itself: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
    );
  }
  const resent = run.chaos ? resentBytes(run.chaos.seen) : 0;
  const { killed } = run;
  const interruptions = run.interruptions + run.weather.on_photos;
  if (say) for (const text of run.told) say(text);
  if (failures.length > 0) say?.(run.host.output.slice(-2000));
  await run.end();
  return {
    seed,
    failures,
    kills: killed.map(({ point, victim }) => ({ point, victim })),
    faults: run.weather.struck,
    ...countsOf(run.log),
    interruptions,
    resent,
    seconds: (performance.now() - began) / 1000,
  };
};
