/**
 * The window's side of photos from a phone. Shows a code while requested, and adds each complete file through the same
 * import as picked files. So the same metadata is removed, and the same files are refused.
 */
import { SvelteSet } from 'svelte/reactivity';
import { CHUNK_MAX } from '../../../../contract/host.ts';
import type { PhoneNetwork, PhoneView } from '../../../../contract/phone/phone.ts';
import type { Deps } from '../../../data/db/db.ts';
import type { IntakeOutcome } from '../../../photos/intake.ts';

/** Polling interval, in milliseconds. The host revokes the code if no window asks for a while, so keep well below that. */
const ASK_MS = 5_000;
/** Time without a phone after which the dialog shows advice, in milliseconds. */
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
  /** Null while unknown. Empty if no phone can reach this laptop. */
  networks = $state.raw<readonly PhoneNetwork[] | null>(null);
  shown = $state.raw<ShownCode | null>(null);
  view = $state.raw<PhoneView | null>(null);
  /** True if the system did not let the host listen. */
  failed = $state(false);
  /** True if the code has been shown for a while and no phone connected. */
  nothing = $state(false);
  /** True while a file is in transfer. */
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

  /** Starts, with a code on the likeliest network. */
  async begin(): Promise<void> {
    const timer = setInterval(() => void this.#look(), ASK_MS);
    this.#stops = [
      () => clearInterval(timer),
      this.#parts.host.listen('phone.changed', () => void this.#look()),
    ];
    await this.again();
  }

  /** Looks up the networks again. */
  async again(): Promise<void> {
    const found = await this.#parts.host.call('phone.networks', {});
    this.networks = found.ok ? found.value.networks : [];
    const [first] = this.networks;
    if (first !== undefined) await this.show(first.address);
  }

  /** Shows a new code and invalidates the previous one. */
  async show(address: string): Promise<void> {
    if (this.#stops.length === 0) return;
    this.nothing = false;
    this.shown = null;
    this.view = null;
    const opened = await this.#parts.host.call('phone.open', { address });
    this.failed = !opened.ok || opened.value === null;
    this.shown = opened.ok && opened.value !== null ? { ...opened.value, address } : null;
    // Closed while the host opened the code, which nobody has seen.
    if (this.#stops.length === 0) return this.end();
    const { shown } = this;
    const timer = setTimeout(() => {
      if (this.shown === shown && this.view?.state === 'open') this.nothing = true;
    }, NOTHING_MS);
    this.#stops.push(() => clearTimeout(timer));
    await this.#look();
  }

  /** Stops showing the code. Complete files are still added. */
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
    // Another window shows a code, or the host restarted: this code is no longer valid.
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
      // Another code is shown, or the file is gone. The phone was never told that the file arrived.
      if (!read.ok) return;
      // The browser may keep a Blob's bytes on disk rather than in memory.
      parts.push(new Blob([read.value.bytes]));
    }
    const [outcome] = await take(new File(parts, name)).catch(() => []);
    await host.call('phone.took', { code, file, state: becameOf(outcome) });
  }
}
