/** How much of this laptop's disk is left: asked of the host while the window is open, and with every photo that comes or goes. */
import { app } from './app.svelte.ts';

/** Less than a video or some dozens of photos take, bytes. */
const LOW = 500_000_000;
/** Other programs fill a disk too, milliseconds. */
const AGAIN = 60_000;

class Disk {
  /** Bytes; null: not known. */
  free = $state<number | null>(null);
  readonly low = $derived(this.free !== null && this.free < LOW ? this.free : null);

  readonly #ask = async (): Promise<void> => {
    const answer = await app.deps.host.call('app.disk', {});
    this.free = answer.ok ? answer.value.free : null;
  };

  /** In an effect: asks until the answered function is called. */
  watch(): () => void {
    void this.#ask();
    const timer = setInterval(() => void this.#ask(), AGAIN);
    return () => clearInterval(timer);
  }
}
export const disk = new Disk();
