/**
 * All sentences of the window in Polish, as spoken on building sites in Poland, Britain and Norway. Has the shape of
 * en.ts; a missing word does not compile.
 */
import { access } from './pl/access.ts';
import { answer } from './pl/answer.ts';
import { capture } from './pl/capture.ts';
import { capture_settings } from './pl/capture-settings.ts';
import { person_copy } from './pl/person-copy.ts';
import { erasure } from './pl/erasure.ts';
import { box } from './pl/box.ts';
import { retention } from './pl/retention.ts';
import { comments } from './pl/comments.ts';
import { company } from './pl/company.ts';
import { own_data } from './pl/company-data.ts';
import { connect } from './pl/connection.ts';
import { reportable } from './pl/reportable.ts';
import { said } from './pl/said.ts';
import { saved_view } from './pl/saved-view.ts';
import { sign_in } from './pl/sign-in.ts';
import { desktop } from './pl/desktop.ts';
import { settings } from './pl/settings.ts';
import { app, dates, pill, state } from './pl/frame.ts';
import { editor } from './pl/editor.ts';
import { history } from './pl/history.ts';
import { printing } from './pl/printing.ts';
import { take_along } from './pl/take-along.ts';
import { not_finished } from './pl/not-finished.ts';
import { paper } from './pl/paper.ts';
import { follow_up } from './pl/follow-up.ts';
import { evidence } from './pl/evidence.ts';
import { exporting } from './pl/exporting.ts';
import { gallery } from './pl/gallery.ts';
import { help } from './pl/help.ts';
import { insights } from './pl/insights.ts';
import { week } from './pl/week.ts';
import { insurances } from './pl/insurances.ts';
import { linked } from './pl/linked.ts';
import { kind } from './pl/kind.ts';
import { mail } from './pl/mail.ts';
import { key_list } from './pl/key-list.ts';
import { markup } from './pl/markup.ts';
import { members } from './pl/members.ts';
import { bin, detail, field_labels, list } from './pl/near-misses.ts';
import { photo_notes } from './pl/photo-notes.ts';
import { photo_settings } from './pl/photo-settings.ts';
import { places } from './pl/places.ts';
import { plain_server } from './pl/plain-server.ts';
import { plans } from './pl/plans.ts';
import { problem } from './pl/problem.ts';
import { f as format } from './pl/say.ts';
import { finder, keys, sites } from './pl/shell.ts';
import { shift } from './pl/shift.ts';
import { tour } from './pl/tour.ts';
import { tm } from './pl/time-and-material.ts';
import { users } from './pl/users.ts';
import { waiting } from './pl/waiting.ts';
import { who_saw } from './pl/who-saw.ts';
import { webhooks } from './pl/webhooks.ts';
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
  insurances,
  members,
  who_saw,
  erasure,
  person_copy,
  box,
  retention,
  comments,
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
