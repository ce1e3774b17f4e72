/** The speed of photos on their way, measured while a screen shows it. */
import { host } from '../host/client.ts';
import { createRates } from './rate.ts';

export const rates = createRates();

/** Listens until the answered function is called. */
export const measureRates = (): (() => void) =>
  host.listen('photo.progress', (event) => rates.hear(event, performance.now()));
