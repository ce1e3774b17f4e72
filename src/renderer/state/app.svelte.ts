/**
 * What every screen shares: the opened window (database, host, engine), the session, and what is known of the queue and
 * the connection. Everything is mirrored from where it is kept; nothing is decided here.
 */
import type { HostEvent } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import { type Elsewhere, rememberAccount, waitingElsewhere } from '../data/accounts.ts';
import { rebuildCatalog, refreshCatalog } from '../data/catalog.ts';
import type { Deps } from '../data/db.ts';
import { hearUnwritten } from '../data/drafts.ts';
import { history } from '../data/history.ts';
import { refreshNearMisses, type RefreshProgress } from '../data/refresh.ts';
import { host } from '../host/client.ts';
import { queueCounts, queueHold, type QueueCounts, type QueueHold } from '../outbox/queue.ts';
import type { StartProblem } from '../outbox/open.ts';
import type { Reach } from '../outbox/reach.ts';
import { startWindow, type StartedWindow } from '../outbox/start.ts';
import { keepSweeping } from '../photos/lost-photos.ts';
import { words } from '../words/words.ts';
import { paced } from './paced.ts';
import { Session } from './session.svelte.ts';
import { toasts } from './toasts.svelte.ts';

export type PhotoProgress = Extract<HostEvent, { kind: 'photo.progress' }>;

const NOTHING: QueueCounts = {
  records: 0,
  entries: 0,
  photos: 0,
  bytes: 0,
  parked: 0,
  sending: 0,
  sending_records: 0,
  quarantined: 0,
  again: 0,
  trouble: null,
};
/** How often the service is asked whether it answers: where all is well and nothing waits, and else; milliseconds. */
const REACH_EVERY = { calm: 30_000, else: 20_000 };
/** How often the list is brought up to date, milliseconds. */
const REFRESH_EVERY = 5 * 60_000;
/** Photos whose bytes are told live, at most: more than are ever on their way at once. */
const PROGRESS_MAX = 64;

/** Where the screens read and write: the account and the project in use. */
export interface Scope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

class App {
  readonly session = new Session(host);
  opened = $state.raw<StartedWindow | null>(null);
  broken = $state.raw<StartProblem | null>(null);
  /** The browser closed the database under the open window. */
  store_closed = $state(false);
  counts = $state.raw<QueueCounts>(NOTHING);
  /** What waits for other accounts of this laptop. */
  elsewhere = $state.raw<readonly Elsewhere[]>([]);
  hold = $state.raw<QueueHold | null>(null);
  /** Something is typed that is not in the database yet. */
  unwritten = $state(false);
  /** Does the service answer, and if not, why? Null before the first try. */
  reach = $state<Reach | null>(null);
  /** Does it answer? Null before the first try. */
  readonly online: boolean | null = $derived(this.reach === null ? null : this.reach === 'answers');
  /** All is well, and nothing waits. */
  readonly #calm = $derived(this.online === true && this.counts.records === 0);
  /** Live steps and bytes of photos on their way. */
  progress = $state.raw<Readonly<Record<string, PhotoProgress>>>({});
  refreshing = $state(false);
  /** A whole refresh was asked for while another was under way. */
  #wholeNext = false;
  /** How far a refresh of more than one page is. */
  refresh_progress = $state.raw<RefreshProgress | null>(null);
  refreshed_at = $state<number | null>(null);
  refresh_problem = $state.raw<Problem | null>(null);
  #stops: (() => void)[] = [];

  readonly scope: Scope | null = $derived.by(() => {
    const view = this.session.view;
    if (!view?.account || !view.project || !view.company) return null;
    return { account: view.account, company_id: view.company.id, project_id: view.project.id };
  });

  /** For the functions of data/, outbox/ and photos/. Only where a screen is shown, so the window is open. */
  get deps(): Deps {
    if (this.opened === null) throw new Error('the window is not open yet');
    return this.opened;
  }

  /** Opens everything; the answered function closes it. */
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

  #show(opened: StartedWindow): void {
    this.opened = opened;
    this.#stops.push(keepSweeping(opened));
    void this.#sayStart(opened);
  }

  /** What the start put right, and where the window is instead of where it was. */
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

  /** Looks again now, whatever the queue was waiting for. */
  tryNow(): void {
    this.opened?.engine.wake();
    void this.checkReach();
  }

  /** Asks; what it learns comes back through `#reached`, as with every other answer. */
  async checkReach(): Promise<void> {
    if (this.session.view?.state === 'ready') await this.opened?.host.call('reach.check', {});
  }

  /** While somebody looks at the window. */
  #keepAsking(): () => void {
    const every = this.#calm ? REACH_EVERY.calm : REACH_EVERY.else;
    const ask = () => document.visibilityState === 'visible' && void this.checkReach();
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

  /** Brings catalog and near misses up to date, page by page. One at a time. */
  async refresh(whole = false): Promise<void> {
    const { scope, opened } = this;
    if (scope === null || opened === null) return;
    if (this.session.view?.state !== 'ready') return;
    if (this.refreshing) {
      this.#wholeNext ||= whole;
      return;
    }
    this.refreshing = true;
    const catalog = await refreshCatalog(opened, scope);
    const list = catalog.ok
      ? await refreshNearMisses(opened, scope, {
          whole,
          onPage: (progress) => {
            if (!this.#isIn(scope)) return;
            this.refresh_progress = progress.done < progress.total ? progress : null;
          },
        })
      : catalog;
    // Pick lists made of the records seen (decisions §4.4): the records are here only now.
    if (list.ok && catalog.ok && catalog.value.source === 'records')
      await rebuildCatalog(opened, scope);
    this.refreshing = false;
    const next = this.#wholeNext;
    this.#wholeNext = false;
    // Another project was chosen meanwhile: what was read is not of what is shown.
    if (!this.#isIn(scope)) return this.refresh(next);
    if (next) void this.refresh(true);
    this.refresh_problem = list.ok ? null : list.problem;
    if (!list.ok) return; // What it has not got yet stays said: `refresh_progress`.
    this.refresh_progress = null;
    this.refreshed_at = Date.now();
  }

  #isIn({ account, project_id }: Scope): boolean {
    return this.scope?.account === account && this.scope.project_id === project_id;
  }

  #hear(event: HostEvent): void {
    if (event.kind === 'photo.progress') {
      const { [event.photo_id]: _was, ...others } = this.progress;
      // Newest last; of hundreds that went by only those that may still be shown.
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
        queueHold(opened, account),
        waitingElsewhere(opened, account),
      ]);
    return paced(ask, {
      next: ([counts, hold, elsewhere]) => {
        this.counts = counts;
        this.hold = hold;
        this.elsewhere = elsewhere;
      },
    }).stop;
  }

  /** By what an account is called here, when another one is in use. */
  #rememberAccount(): void {
    const { opened } = this;
    const { view } = this.session;
    if (opened === null || view === null) return;
    // Where the disk is full it is called by its number.
    void rememberAccount(opened, view).catch(() => undefined);
  }

  /** A new account, project or sign-in: ask the service, and again from time to time. */
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
