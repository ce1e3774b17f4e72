/** The English sentences loaded at startup: all but those of company-module.ts. */
import { capture } from './capture.ts';
import { sign_in } from './sign-in.ts';
import { app, dates, pill, state } from './frame.ts';
import { take_along } from './take-along.ts';
import { bin, detail, field_labels, list } from './near-misses.ts';
import { problem } from './problem.ts';
import { f as format } from './say.ts';
import { follow_up } from './follow-up.ts';
import { finder, keys, sites } from './shell.ts';
import { shift } from './shift.ts';
import { places } from './places.ts';

export const first = {
  app,
  places,
  dates,
  pill,
  state,
  sign_in,
  sites,
  finder,
  keys,
  list,
  field_labels,
  detail,
  take_along,
  capture,
  follow_up,
  shift,
  bin,
  problem,
  format,
};
