/**
 * Photos from a phone, the window's side: shows a code for as long as it is asked to, and takes every file that came whole into the form
 * by the same way as a picked one, so that the same is taken out of it and the same is refused.
 */
import { SvelteSet } from 'svelte/reactivity';
import { CHUNK_MAX } from '../../../contract/host.ts';
import type { PhoneNetwork, PhoneView } from '../../../contract/phone.ts';
import type { Deps } from '../../data/db.ts';
import type { IntakeOutcome } from '../../photos/intake.ts';

/** The host ends the code when no window asks for so long: well within it. */
const ASK_MS = 5_000;
/** Without a sign of a phone so long, the dialog says what may be wrong. */
const NOTHING_MS = 20_000;

export interface PhoneLinkParts {
  readonly host: Pick<Deps['host'], 'call' | 'listen'>;
  readonly take: (file: File) => Promise<readonly IntakeOutcome[]>;
}

export interface ShownCode {
  readonly code: string;
  readonly url: string;
  readonly address: string;
}

const becameOf = (outcome: IntakeOutcome | undefined) => {
  if (outcome === undefined) return 'refused';
  if (outcome.ok) return 'kept';
  if (outcome.refusal.kind === 'duplicate') return 'there';
  return outcome.refusal.kind === 'ask' ? 'asks' : 'refused';
};

export class PhoneLink {
  /** Null: not known yet. None: a phone can reach this laptop nowhere. */
  networks = $state.raw<readonly PhoneNetwork[] | null>(null);
  shown = $state.raw<ShownCode | null>(null);
  view = $state.raw<PhoneView | null>(null);
  /** The system did not let the host listen. */
  failed = $state(false);
  /** A code is shown for a while, and no phone came. */
  nothing = $state(false);
  /** Something is on its way. */
  readonly moving = $derived(
    (this.view?.files ?? []).some(({ state }) => state === 'coming' || state === 'checked'),
  );

  readonly #parts: PhoneLinkParts;
  readonly #taking = new SvelteSet<string>();
  #stops: (() => void)[] = [];
  #taken: Promise<void> = Promise.resolve();

  constructor(parts: PhoneLinkParts) {
    this.#parts = parts;
  }

  /** Shows a code on the likeliest network. */
  async begin(): Promise<void> {
    const timer = setInterval(() => void this.#look(), ASK_MS);
    this.#stops = [
      () => clearInterval(timer),
      this.#parts.host.listen('phone.changed', () => void this.#look()),
    ];
    await this.again();
  }

  /** Looks for networks anew. */
  async again(): Promise<void> {
    const found = await this.#parts.host.call('phone.networks', {});
    this.networks = found.ok ? found.value.networks : [];
    const [first] = this.networks;
    if (first !== undefined) await this.show(first.address);
  }

  /** A new code; the one before counts no longer. */
  async show(address: string): Promise<void> {
    if (this.#stops.length === 0) return;
    this.nothing = false;
    this.shown = null;
    this.view = null;
    const opened = await this.#parts.host.call('phone.open', { address });
    this.failed = !opened.ok || opened.value === null;
    this.shown = opened.ok && opened.value !== null ? { ...opened.value, address } : null;
    // Closed while the host opened it: nobody sees this code.
    if (this.#stops.length === 0) return this.end();
    const { shown } = this;
    const timer = setTimeout(() => {
      if (this.shown === shown && this.view?.state === 'open') this.nothing = true;
    }, NOTHING_MS);
    this.#stops.push(() => clearTimeout(timer));
    await this.#look();
  }

  /** The code is shown no longer. What came whole is taken in still. */
  async end(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    if (this.shown !== null) await this.#parts.host.call('phone.close', { code: this.shown.code });
    await this.#look();
  }

  async #look(): Promise<void> {
    const { shown } = this;
    const got = await this.#parts.host.call('phone.get', {});
    if (!got.ok || shown === null || this.shown !== shown) return;
    // Another window shows a code, or the host was started anew: this one counts no longer.
    if (got.value.code !== shown.code) {
      this.view = { ...(this.view ?? got.value), state: 'closed', why: 'asked' };
      return;
    }
    this.view = got.value;
    if (got.value.state !== 'open') this.nothing = false;
    for (const [file, { state, name, size }] of got.value.files.entries()) {
      const key = `${got.value.code} ${file}`;
      if (state !== 'checked' || this.#taking.has(key)) continue;
      this.#taking.add(key);
      this.#taken = this.#taken.then(() => this.#take(shown.code, file, name, size));
    }
  }

  async #take(code: string, file: number, name: string, size: number): Promise<void> {
    const { host, take } = this.#parts;
    const parts: Blob[] = [];
    for (let offset = 0; offset < size; offset += CHUNK_MAX) {
      const read = await host.call('phone.read', { code, file, offset, length: CHUNK_MAX });
      // Another code is shown by now, or the file is gone: the phone was never told that it is here.
      if (!read.ok) return;
      // Whatever is kept in a Blob the browser may put on the disk.
      parts.push(new Blob([read.value.bytes]));
    }
    const [outcome] = await take(new File(parts, name)).catch(() => []);
    await host.call('phone.took', { code, file, state: becameOf(outcome) });
  }
}
