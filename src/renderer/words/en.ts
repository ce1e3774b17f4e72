/**
 * Every sentence of the window in English, by what it is about. A screen never spells a sentence itself: it asks here, so
 * that a language is a folder and a file of this shape, and a word that one of them lacks does not compile.
 */
import { capture, capture_settings } from './en/capture.ts';
import { company } from './en/company.ts';
import { own_data } from './en/company-data.ts';
import { connect, sign_in } from './en/connection.ts';
import { desktop } from './en/desktop.ts';
import { settings } from './en/settings.ts';
import { app, dates, pill, state } from './en/frame.ts';
import { markup } from './en/markup.ts';
import { editor, history, printing, take_along } from './en/detail.ts';
import { paper } from './en/paper.ts';
import { bin, detail, list } from './en/near-misses.ts';
import { plain_server } from './en/plain-server.ts';
import { problem } from './en/problem.ts';
import { f as format } from './en/say.ts';
import { follow_up } from './en/follow-up.ts';
import { gallery } from './en/gallery.ts';
import { insights } from './en/insights.ts';
import { week } from './en/week.ts';
import { insurances } from './en/insurances.ts';
import { members } from './en/members.ts';
import { webhooks } from './en/webhooks.ts';
import { photo_notes } from './en/photo-notes.ts';
import { photo_settings } from './en/photo-settings.ts';
import { finder, keys, sites } from './en/shell.ts';
import { shift } from './en/shift.ts';
import { tour } from './en/tour.ts';
import { tm } from './en/time-and-material.ts';
import { waiting } from './en/waiting.ts';

export const words = {
  app,
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
  company,
  own_data,
  tm,
  insurances,
  members,
  webhooks,
  follow_up,
  shift,
  gallery,
  insights,
  week,
  bin,
  settings,
  tour,
  photo_notes,
  photo_settings,
  problem,
  format,
};
