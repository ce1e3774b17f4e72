/**
 * Mirrors the host's session and settings for the screens, and forwards changes. The host owns both. The exception is the
 * project: a choice applies here at once, and the host receives it as soon as the server answers.
 */
import type { DesktopDeed, DesktopView } from '../../../contract/desktop.ts';
import type { ConnectInput, HostOutput, SessionView } from '../../../contract/host.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Problem, Result } from '../../../contract/problem.ts';
import type { Host } from '../../host/client.ts';
import { setInSight } from '../../data/model/in-sight.ts';
import { type ChosenProject, keepChosen, readChosen, withChosen } from './chosen-project.ts';

export type AppInfo = HostOutput<'app.info'>;
export type Tried = HostOutput<'session.try'>;
export type Enrolled = HostOutput<'session.enrol'>;

export class Session {
  #fromHost = $state.raw<SessionView | null>(null);
  /** The chosen project that the host has not confirmed yet. */
  #chosen = $state.raw<ChosenProject | null>(readChosen());
  /** Null until the host's first response. */
  readonly view: SessionView | null = $derived(withChosen(this.#fromHost, this.#chosen));
  settings = $state.raw<Settings>({
    theme: 'system',
    language: 'system',
    last_incident: {},
    photo_places: {},
    form_fields: {},
    photo_privacy: true,
    photo_size: 'original',
    photo_sending: 'always',
    photo_keep_days: 7,
    photo_read_back: false,
    name_people: false,
    global_shortcut: false,
    tour_seen: false,
    global_keys: null,
    start_with_system: false,
    when_closed: 'ask',
    notices: true,
    spelling: false,
    hardware_graphics: true,
    law_country: null,
  });
  info = $state.raw<AppInfo | null>(null);
  /** State of the desktop program. Null in a browser. */
  desktop = $state.raw<DesktopView | null>(null);
  /** Set if the host did not answer. */
  trouble = $state.raw<Problem | null>(null);
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** True if the desktop program writes PDFs. A browser offers that in its print dialog. */
  get saves_pdf(): boolean {
    return this.info?.shell === 'electron';
  }

  /** Loads everything and subscribes to changes. Returns a function that unsubscribes. */
  start(): () => void {
    const stop = this.#host.listen((event) => {
      if (event.kind === 'session.changed') this.#fromHost = event.session;
      if (event.kind === 'settings.changed') this.settings = event.settings;
      if (event.kind === 'desktop.changed') this.#hearDesktop(event.desktop);
    });
    void this.refresh();
    return stop;
  }

  #hearDesktop(desktop: DesktopView | null): void {
    this.desktop = desktop;
    setInSight(desktop?.in_sight ?? true);
  }

  async refresh(): Promise<void> {
    const [view, settings, info, desktop] = await Promise.all([
      this.#host.call('session.get', {}),
      this.#host.call('settings.get', {}),
      this.#host.call('app.info', {}),
      this.#host.call('desktop.get', {}),
    ]);
    if (settings.ok) this.settings = settings.value;
    if (info.ok) this.info = info.value;
    if (desktop.ok) this.#hearDesktop(desktop.value.desktop);
    if (view.ok) this.#fromHost = view.value;
    this.trouble = view.ok ? null : view.problem;
  }

  try(address: string, token: string, company_id: number): Promise<Result<Tried>> {
    return this.#host.call('session.try', { address, token, company_id });
  }

  /** Spends an enrolment code. The host keeps its token for `connect` with the same code. */
  enrol(address: string, code: string): Promise<Result<Enrolled>> {
    return this.#host.call('session.enrol', { address, code });
  }

  /** The issuer of the server's identity provider; null if it has none. */
  offer(address: string): Promise<Result<HostOutput<'session.offer'>>> {
    return this.#host.call('session.offer', { address });
  }

  /**
   * Signs in with the identity provider in the system's browser, which may take minutes. The host keeps the result for
   * `connect`.
   */
  signIn(address: string): Promise<Result<Tried>> {
    return this.#host.call('session.sign_in', { address });
  }

  cancelSignIn(): Promise<Result<unknown>> {
    return this.#host.call('session.cancel_sign_in', {});
  }

  async connect(input: ConnectInput): Promise<Result<SessionView>> {
    const answer = await this.#keep(this.#host.call('session.connect', input));
    // The new session includes a project, so drop the earlier choice.
    if (answer.ok) this.#choose(null);
    return answer;
  }

  /** Switches to another project of the current account. */
  chooseProject(project: ChosenProject['project']): void {
    const account = this.#fromHost?.account ?? null;
    if (account !== null) this.#choose({ account, project });
  }

  /**
   * Sends the chosen project to the host. Call it whenever the server may answer. On `bad_input` the token has no access there,
   * and the previous project is used again. Null if there is nothing to send.
   */
  async sendProject(): Promise<Result<SessionView> | null> {
    const wanted = this.#chosen;
    if (wanted === null || wanted.account !== this.#fromHost?.account) return null;
    const answer = await this.#host.call('session.choose_project', {
      project_id: wanted.project.id,
    });
    if (this.#chosen !== wanted) return null; // Another project was chosen meanwhile, and has its own call.
    if (answer.ok) this.#fromHost = answer.value;
    if (answer.ok || answer.problem.kind === 'bad_input') this.#choose(null);
    return answer;
  }

  #choose(project: ChosenProject | null): void {
    this.#chosen = project;
    keepChosen(project);
  }

  signOut(): Promise<Result<SessionView>> {
    return this.#keep(this.#host.call('session.sign_out', {}));
  }

  unlock(): Promise<Result<SessionView>> {
    return this.#keep(this.#host.call('session.unlock', {}));
  }

  /** Sends a request to the desktop program: look for an update, or install it. */
  ask(what: DesktopDeed): Promise<Result<unknown>> {
    return this.#host.call('desktop.do', { what });
  }

  async set(change: Partial<Settings>): Promise<Result<Settings>> {
    const answer = await this.#host.call('settings.set', change);
    if (answer.ok) this.settings = answer.value;
    return answer;
  }

  async #keep(asked: Promise<Result<SessionView>>): Promise<Result<SessionView>> {
    const answer = await asked;
    if (answer.ok) this.#fromHost = answer.value;
    return answer;
  }
}
