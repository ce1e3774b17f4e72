/** Measures the upload speed of photos while a screen shows it. */
import { host } from '../../host/client.ts';
import { createRates } from './rate.ts';

export const rates = createRates();

/** Starts measuring. Returns a function that stops it. */
export const measureRates = (): (() => void) =>
  host.listen('photo.progress', (event) => rates.hear(event, performance.now()));
