/**
 * Who is signed in where, and the settings of this laptop, as the host tells them. The host owns both; this class only
 * mirrors them for the screens and passes on what a person wants changed. The project is the one exception: chosen here it
 * counts at once, and the host is told as soon as the server answers.
 */
import type { DesktopDeed, DesktopView } from '../../contract/desktop.ts';
import type { ConnectInput, HostOutput, SessionView } from '../../contract/host.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Problem, Result } from '../../contract/problem.ts';
import type { Host } from '../host/client.ts';
import { type ChosenProject, keepChosen, readChosen, withChosen } from './chosen-project.ts';

export type AppInfo = HostOutput<'app.info'>;
export type Tried = HostOutput<'session.try'>;

export class Session {
  #told = $state.raw<SessionView | null>(null);
  /** The project that the host has not got yet. */
  #chosen = $state.raw<ChosenProject | null>(readChosen());
  /** Null until the host answered for the first time. */
  readonly view: SessionView | null = $derived(withChosen(this.#told, this.#chosen));
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
    name_people: false,
    global_shortcut: false,
    tour_seen: false,
    global_keys: null,
    start_with_system: false,
    when_closed: 'ask',
    notices: true,
    spelling: false,
  });
  info = $state.raw<AppInfo | null>(null);
  /** What the desktop program tells of itself; null in a browser. */
  desktop = $state.raw<DesktopView | null>(null);
  /** The host itself could not be asked. */
  trouble = $state.raw<Problem | null>(null);
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Does the desktop program write a PDF by itself? In a browser its print dialog does. */
  get saves_pdf(): boolean {
    return this.info?.shell === 'electron';
  }

  /** Reads everything once and listens until the answered function is called. */
  start(): () => void {
    const stop = this.#host.listen((event) => {
      if (event.kind === 'session.changed') this.#told = event.session;
      if (event.kind === 'settings.changed') this.settings = event.settings;
      if (event.kind === 'desktop.changed') this.desktop = event.desktop;
    });
    void this.refresh();
    return stop;
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
    if (desktop.ok) this.desktop = desktop.value.desktop;
    if (view.ok) this.#told = view.value;
    this.trouble = view.ok ? null : view.problem;
  }

  try(address: string, token: string, company_id: number): Promise<Result<Tried>> {
    return this.#host.call('session.try', { address, token, company_id });
  }

  async connect(input: ConnectInput): Promise<Result<SessionView>> {
    const answer = await this.#keep(this.#host.call('session.connect', input));
    // The connect screen asked for the project too.
    if (answer.ok) this.#choose(null);
    return answer;
  }

  /** From now on this project of the account in use. */
  chooseProject(project: ChosenProject['project']): void {
    const account = this.#told?.account ?? null;
    if (account !== null) this.#choose({ account, project });
  }

  /**
   * Tells the host of the project chosen here; to be called whenever the server may answer. `bad_input`: the token may not work
   * there any more, and the project of before is in use again. Null: there is nothing to tell.
   */
  async tellProject(): Promise<Result<SessionView> | null> {
    const wanted = this.#chosen;
    if (wanted === null || wanted.account !== this.#told?.account) return null;
    const answer = await this.#host.call('session.choose_project', {
      project_id: wanted.project.id,
    });
    if (this.#chosen !== wanted) return null; // Another one was chosen meanwhile, and is told by itself.
    if (answer.ok) this.#told = answer.value;
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

  /** Asks something of the desktop program: an update looked for, or put in. */
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
    if (answer.ok) this.#told = answer.value;
    return answer;
  }
}
