/** The sentences of the window in English but for those of the company's screens, by what they are about. */
import { capture, capture_settings } from './capture.ts';
import { connect, sign_in } from './connection.ts';
import { desktop } from './desktop.ts';
import { settings } from './settings.ts';
import { app, dates, pill, state } from './frame.ts';
import { markup } from './markup.ts';
import { editor, history, printing, take_along } from './detail.ts';
import { paper } from './paper.ts';
import { bin, detail, list } from './near-misses.ts';
import { plain_server } from './plain-server.ts';
import { problem } from './problem.ts';
import { f as format } from './say.ts';
import { follow_up } from './follow-up.ts';
import { gallery } from './gallery.ts';
import { photo_notes } from './photo-notes.ts';
import { photo_settings } from './photo-settings.ts';
import { finder, keys, sites } from './shell.ts';
import { shift } from './shift.ts';
import { tour } from './tour.ts';
import { waiting } from './waiting.ts';
import { places } from './places.ts';

export const first = {
  app,
  places,
  dates,
  pill,
  state,
  connect,
  sign_in,
  sites,
  finder,
  keys,
  list,
  detail,
  history,
  paper,
  printing,
  take_along,
  editor,
  capture,
  capture_settings,
  desktop,
  markup,
  waiting,
  plain_server,
  follow_up,
  shift,
  gallery,
  bin,
  settings,
  tour,
  photo_notes,
  photo_settings,
  problem,
  format,
};
