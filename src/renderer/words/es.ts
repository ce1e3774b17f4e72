/**
 * All sentences of the window in Spanish, as spoken on construction sites in Mexico and the United States. Has the shape of
 * en.ts; a missing word does not compile.
 */
import { access } from './es/access.ts';
import { answer } from './es/answer.ts';
import { capture } from './es/capture.ts';
import { capture_settings } from './es/capture-settings.ts';
import { company } from './es/company.ts';
import { own_data } from './es/company-data.ts';
import { comments } from './es/comments.ts';
import { connect } from './es/connection.ts';
import { reportable } from './es/reportable.ts';
import { person_copy } from './es/person-copy.ts';
import { erasure } from './es/erasure.ts';
import { box } from './es/box.ts';
import { retention } from './es/retention.ts';
import { said } from './es/said.ts';
import { saved_view } from './es/saved-view.ts';
import { sign_in } from './es/sign-in.ts';
import { desktop } from './es/desktop.ts';
import { settings } from './es/settings.ts';
import { app, dates, pill, state } from './es/frame.ts';
import { editor } from './es/editor.ts';
import { history } from './es/history.ts';
import { printing } from './es/printing.ts';
import { take_along } from './es/take-along.ts';
import { not_finished } from './es/not-finished.ts';
import { paper } from './es/paper.ts';
import { follow_up } from './es/follow-up.ts';
import { evidence } from './es/evidence.ts';
import { exporting } from './es/exporting.ts';
import { gallery } from './es/gallery.ts';
import { help } from './es/help.ts';
import { insights } from './es/insights.ts';
import { week } from './es/week.ts';
import { who_saw } from './es/who-saw.ts';
import { insurances } from './es/insurances.ts';
import { linked } from './es/linked.ts';
import { kind } from './es/kind.ts';
import { mail } from './es/mail.ts';
import { key_list } from './es/key-list.ts';
import { markup } from './es/markup.ts';
import { members } from './es/members.ts';
import { bin, detail, field_labels, list } from './es/near-misses.ts';
import { photo_notes } from './es/photo-notes.ts';
import { photo_settings } from './es/photo-settings.ts';
import { places } from './es/places.ts';
import { plain_server } from './es/plain-server.ts';
import { plans } from './es/plans.ts';
import { problem } from './es/problem.ts';
import { f as format } from './es/say.ts';
import { finder, keys, sites } from './es/shell.ts';
import { shift } from './es/shift.ts';
import { tour } from './es/tour.ts';
import { tm } from './es/time-and-material.ts';
import { users } from './es/users.ts';
import { waiting } from './es/waiting.ts';
import { webhooks } from './es/webhooks.ts';
import type { Words } from './shape.ts';

export const words: Words = {
  answer,
  app,
  places,
  dates,
  pill,
  state,
  access,
  connect,
  sign_in,
  reportable,
  erasure,
  person_copy,
  box,
  retention,
  said,
  saved_view,
  sites,
  finder,
  keys,
  key_list,
  linked,
  kind,
  list,
  field_labels,
  detail,
  capture,
  capture_settings,
  comments,
  desktop,
  mail,
  markup,
  waiting,
  plain_server,
  plans,
  company,
  own_data,
  tm,
  follow_up,
  shift,
  evidence,
  exporting,
  gallery,
  bin,
  settings,
  tour,
  photo_notes,
  photo_settings,
  problem,
  help,
  insights,
  week,
  who_saw,
  insurances,
  members,
  webhooks,
  users,
  history,
  not_finished,
  paper,
  printing,
  editor,
  take_along,
  format,
};
