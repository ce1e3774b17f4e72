/** Free space on this laptop's disk, polled while the window is open and after every added or removed photo. */
import { app } from './app.svelte.ts';

/** Warning threshold in bytes. Less than a video or some dozens of photos need. */
const LOW = 500_000_000;
/** Polling interval in milliseconds, because other programs fill the disk, too. */
const AGAIN = 60_000;

class Disk {
  /** Free bytes. Null if unknown. */
  free = $state<number | null>(null);
  readonly low = $derived(this.free !== null && this.free < LOW ? this.free : null);

  readonly #ask = async (): Promise<void> => {
    const answer = await app.deps.host.call('app.disk', {});
    this.free = answer.ok ? answer.value.free : null;
  };

  /** Starts polling; call it in an effect. Returns a function that stops it. */
  watch(): () => void {
    void this.#ask();
    const timer = setInterval(() => void this.#ask(), AGAIN);
    return () => clearInterval(timer);
  }
}
export const disk = new Disk();
