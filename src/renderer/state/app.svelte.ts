/**
 * State shared by every screen: the opened window (database, host, engine), the session, the queue and the connection.
 * Everything is mirrored from its owner; nothing is decided here.
 */
import type { HostEvent } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import { type Elsewhere, rememberAccount, waitingElsewhere } from '../data/near-misses/accounts.ts';
import { rebuildCatalog, refreshCatalog } from '../data/db/catalog.ts';
import type { Deps } from '../data/db/db.ts';
import { hearUnwritten } from '../data/near-misses/drafts.ts';
import { history } from '../data/near-misses/history.ts';
import { refreshNearMisses, type RefreshProgress } from '../data/near-misses/refresh.ts';
import { host } from '../host/client.ts';
import { isInSight } from '../data/model/in-sight.ts';
import {
  queueCounts,
  openBreakerOf,
  type QueueCounts,
  type OpenBreaker,
} from '../outbox/queue/queue.ts';
import type { StartProblem } from '../outbox/queue/open.ts';
import type { Reach } from '../outbox/queue/reach.ts';
import { startWindow, type StartedWindow } from '../outbox/start.ts';
import { keepSweeping } from '../photos/lost-photos.ts';
import { words } from '../words/words.ts';
import { throttled } from './throttle.ts';
import { Session } from './session/session.svelte.ts';
import { toasts } from './toasts.svelte.ts';

export type PhotoProgress = Extract<HostEvent, { kind: 'photo.progress' }>;

const NOTHING: QueueCounts = {
  records: 0,
  operations: 0,
  photos: 0,
  bytes: 0,
  parked: 0,
  sending: 0,
  sending_records: 0,
  quarantined: 0,
  again: 0,
  trouble: null,
};
/** Interval of connection checks, in milliseconds: if online with an empty queue, and otherwise. */
const REACH_EVERY = { calm: 30_000, else: 20_000 };
/** Interval of list refreshes, in milliseconds. */
const REFRESH_EVERY = 5 * 60_000;
/** Maximum number of photos with live progress. More than are ever in transit at once. */
const PROGRESS_MAX = 64;

/** The account and the project in use, which screens read and write. */
export interface Scope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

/** Name of the `MetaRow` that counts the unreadable lines the user has already seen. */
const UNREADABLE = 'unreadable_reported';
const unreadableNow = async ({ db, repaired }: StartedWindow): Promise<number> => {
  const reported = await db.meta.get(UNREADABLE).catch(() => undefined);
  return Math.max(0, repaired.damaged - Number(reported?.value ?? 0));
};

class App {
  readonly session = new Session(host);
  opened = $state.raw<StartedWindow | null>(null);
  broken = $state.raw<StartProblem | null>(null);
  /** True if the browser closed the database while the window was open. */
  store_closed = $state(false);
  counts = $state.raw<QueueCounts>(NOTHING);
  /** Pending records of other accounts on this laptop. */
  elsewhere = $state.raw<readonly Elsewhere[]>([]);
  hold = $state.raw<OpenBreaker | null>(null);
  /** Number of unreadable journal lines the user has not seen yet. */
  unreadable = $state(0);
  /** True while typed text is not in the database yet. */
  unwritten = $state(false);
  /** The last result of a connection check. Null before the first check. */
  reach = $state<Reach | null>(null);
  readonly online: boolean | null = $derived(this.reach === null ? null : this.reach === 'answers');
  /** Where a saved change goes. `local`: the company exists only on this laptop, so nothing is sent. */
  readonly delivery: 'local' | 'online' | 'offline' = $derived(
    this.session.view?.kind === 'local_company'
      ? 'local'
      : this.online === true
        ? 'online'
        : 'offline',
  );
  readonly #calm = $derived(this.online === true && this.counts.records === 0);
  /** Live progress of photos, by photo id. */
  progress = $state.raw<Readonly<Record<string, PhotoProgress>>>({});
  refreshing = $state(false);
  /** True if a full refresh was requested while another refresh was running. */
  #wholeNext = false;
  /** Progress of a refresh that needs more than one page. */
  refresh_progress = $state.raw<RefreshProgress | null>(null);
  refreshed_at = $state<number | null>(null);
  refresh_problem = $state.raw<Problem | null>(null);
  #stops: (() => void)[] = [];

  readonly scope: Scope | null = $derived.by(() => {
    const view = this.session.view;
    if (!view?.account || !view.project || !view.company) return null;
    return { account: view.account, company_id: view.company.id, project_id: view.project.id };
  });

  /**
   * Dependencies of functions in data/, outbox/ and photos/. Available only while a screen is shown, because the window is open
   * then.
   */
  get deps(): Deps {
    if (this.opened === null) throw new Error('the window is not open yet');
    return this.opened;
  }

  /** Opens the window. Returns a function that closes it. */
  start(): () => void {
    this.#stops = [
      this.session.start(),
      host.listen((event) => this.#hear(event)),
      hearUnwritten((unwritten) => (this.unwritten = unwritten)),
      $effect.root(() => {
        $effect(() => this.#watchQueue());
        $effect(() => this.#rememberAccount());
        $effect(() => this.#keepFresh());
        $effect(() => this.#keepAsking());
      }),
    ];
    void startWindow(host, {
      history,
      reached: (reach) => this.#reached(reach),
      closed: () => (this.store_closed = true),
    }).then((answer) => {
      if (answer.ok) this.#show(answer.value);
      else this.broken = answer.problem;
    });
    const ask = () => void this.checkReach();
    window.addEventListener('online', ask);
    window.addEventListener('offline', ask);
    return () => {
      window.removeEventListener('online', ask);
      window.removeEventListener('offline', ask);
      for (const stop of this.#stops) stop();
      void this.opened?.stop();
    };
  }

  /** Clears the state of a closed window, so that the next one in this page starts fresh. */
  reset(): void {
    this.opened = null;
    this.broken = null;
    this.store_closed = false;
    this.unreadable = 0;
    this.counts = NOTHING;
    this.elsewhere = [];
    this.hold = null;
    this.reach = null;
    this.progress = {};
    this.refreshing = false;
    this.refresh_progress = null;
    this.refreshed_at = null;
    this.refresh_problem = null;
  }

  #show(opened: StartedWindow): void {
    this.opened = opened;
    this.#stops.push(keepSweeping(opened));
    void unreadableNow(opened).then((n) => (this.unreadable = n));
    void this.#sayStart(opened);
  }

  /** Shows what the startup repaired, and whether the window uses another port than usual. */
  async #sayStart(opened: StartedWindow): Promise<void> {
    const { records, quarantined, new_place } = opened.repaired;
    const info = await opened.host.call('app.info', {});
    const taken = info.ok ? info.value.port_taken : null;
    const back = new_place ? words.app.came_along : words.app.brought_back;
    const said = [
      ...(taken === null ? [] : [words.app.port_taken(taken)]),
      ...(records > 0 ? [back(records)] : []),
      ...(quarantined > 0 ? [words.app.set_apart(quarantined)] : []),
    ];
    if (said.length > 0) toasts.keep(said.join(' '));
  }

  /** Records that the user has seen the notice about unreadable lines. */
  async dismissUnreadable(): Promise<void> {
    const { opened } = this;
    this.unreadable = 0;
    if (opened !== null)
      await opened.db.meta.put({ name: UNREADABLE, value: opened.repaired.damaged });
  }

  /** Wakes the queue and checks the connection now, regardless of backoff. */
  tryNow(): void {
    this.opened?.engine.wake();
    void this.checkReach();
  }

  /** Checks the connection. The result arrives through `#reached`, as with every other response. */
  async checkReach(): Promise<void> {
    if (this.session.view?.state === 'ready') await this.opened?.host.call('reach.check', {});
  }

  /** Checks the connection regularly while the window is visible. */
  #keepAsking(): () => void {
    const every = this.#calm ? REACH_EVERY.calm : REACH_EVERY.else;
    const ask = () => isInSight() && void this.checkReach();
    const timer = setInterval(ask, every);
    return () => clearInterval(timer);
  }

  #reached(reach: Reach): void {
    const was = this.online;
    this.reach = reach;
    if (reach !== 'answers' || was !== false) return;
    this.opened?.engine.nudge();
    void this.refresh();
  }

  /** Refreshes the catalog and the near misses, page by page. Runs one refresh at a time. */
  async refresh(whole = false): Promise<void> {
    const { scope, opened } = this;
    if (scope === null || opened === null) return;
    if (this.session.view?.state !== 'ready') return;
    if (this.refreshing) {
      this.#wholeNext ||= whole;
      return;
    }
    this.refreshing = true;
    const read = await this.#fetch(opened, scope, whole).finally(() => (this.refreshing = false));
    const next = this.#wholeNext;
    this.#wholeNext = false;
    // The project changed meanwhile, so this result does not belong to the shown project.
    if (!this.#isIn(scope)) return this.refresh(next);
    if (next) void this.refresh(true);
    this.refresh_problem = read.ok ? null : read.problem;
    if (!read.ok) return; // Keep `refresh_progress`, because it shows how much is still missing.
    this.refresh_progress = null;
    this.refreshed_at = Date.now();
  }

  async #fetch(opened: StartedWindow, scope: Scope, whole: boolean) {
    const catalog = await refreshCatalog(opened, scope);
    if (!catalog.ok) return catalog;
    const list = await refreshNearMisses(opened, scope, {
      whole,
      onPage: (progress) => {
        if (!this.#isIn(scope)) return;
        this.refresh_progress = progress.done < progress.total ? progress : null;
      },
    });
    // This server has no catalog, so pick lists are built from the records (decisions §4.4), which have only now arrived.
    if (list.ok && catalog.value.source === 'records') await rebuildCatalog(opened, scope);
    return list;
  }

  #isIn({ account, project_id }: Scope): boolean {
    return this.scope?.account === account && this.scope.project_id === project_id;
  }

  #hear(event: HostEvent): void {
    if (event.kind === 'photo.progress') {
      const { [event.photo_id]: _was, ...others } = this.progress;
      // Newest last. Keep only those that may still be shown.
      const kept = Object.entries(others).slice(1 - PROGRESS_MAX);
      this.progress = { ...Object.fromEntries(kept), [event.photo_id]: event };
    }
    if (event.kind === 'service.state') void this.checkReach();
  }

  #watchQueue(): (() => void) | undefined {
    const account = this.session.view?.account;
    const opened = this.opened;
    if (!account || opened === null) return undefined;
    const ask = () =>
      Promise.all([
        queueCounts(opened, account),
        openBreakerOf(opened, account),
        waitingElsewhere(opened, account),
      ]);
    return throttled(ask, {
      next: ([counts, hold, elsewhere]) => {
        this.counts = counts;
        this.hold = hold;
        this.elsewhere = elsewhere;
      },
    }).stop;
  }

  /** Remembers the account's name, to show it while another account is in use. */
  #rememberAccount(): void {
    const { opened } = this;
    const { view } = this.session;
    if (opened === null || view === null) return;
    // On a full disk the account is shown by its number.
    void rememberAccount(opened, view).catch(() => undefined);
  }

  /** After a new account, project or sign-in: checks the connection and refreshes now and periodically. */
  #keepFresh(): (() => void) | undefined {
    const ready = this.session.view?.state === 'ready';
    if (!ready || this.scope === null || this.opened === null) {
      if (!ready) this.reach = null;
      return undefined;
    }
    this.refreshed_at = null;
    this.refresh_progress = null;
    queueMicrotask(() => {
      void this.checkReach();
      void this.refresh();
    });
    const timer = setInterval(() => void this.refresh(), REFRESH_EVERY);
    return () => clearInterval(timer);
  }
}

export const app = new App();
