/**
 * Every sentence of the window in Spanish, as it is spoken on sites in Mexico and the United States, by what it is about.
 * The same shape as en.ts: a word that is missing here does not compile.
 */
import { capture, capture_settings } from './es/capture.ts';
import { company } from './es/company.ts';
import { own_data } from './es/company-data.ts';
import { connect, sign_in } from './es/connection.ts';
import { desktop } from './es/desktop.ts';
import { settings } from './es/settings.ts';
import { app, dates, pill, state } from './es/frame.ts';
import { editor, history, printing, take_along } from './es/detail.ts';
import { paper } from './es/paper.ts';
import { follow_up } from './es/follow-up.ts';
import { gallery } from './es/gallery.ts';
import { insights } from './es/insights.ts';
import { week } from './es/week.ts';
import { insurances } from './es/insurances.ts';
import { markup } from './es/markup.ts';
import { members } from './es/members.ts';
import { bin, detail, list } from './es/near-misses.ts';
import { photo_notes } from './es/photo-notes.ts';
import { photo_settings } from './es/photo-settings.ts';
import { places } from './es/places.ts';
import { plain_server } from './es/plain-server.ts';
import { problem } from './es/problem.ts';
import { f as format } from './es/say.ts';
import { finder, keys, sites } from './es/shell.ts';
import { shift } from './es/shift.ts';
import { tour } from './es/tour.ts';
import { tm } from './es/time-and-material.ts';
import { waiting } from './es/waiting.ts';
import { webhooks } from './es/webhooks.ts';
import type { Words } from './shape.ts';

export const words: Words = {
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
  capture,
  capture_settings,
  desktop,
  markup,
  waiting,
  plain_server,
  company,
  own_data,
  tm,
  follow_up,
  shift,
  gallery,
  bin,
  settings,
  tour,
  photo_notes,
  photo_settings,
  problem,
  insights,
  week,
  insurances,
  members,
  webhooks,
  history,
  paper,
  printing,
  editor,
  take_along,
  format,
};
