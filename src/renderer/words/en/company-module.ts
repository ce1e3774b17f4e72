/** The English sentences that load on demand: those of the connect screen and of every screen that most windows open without. */
import { access } from './access.ts';
import { answer } from './answer.ts';
import { capture_settings } from './capture-settings.ts';
import { box } from './box.ts';
import { comments } from './comments.ts';
import { connect } from './connection.ts';
import { company } from './company.ts';
import { own_data } from './company-data.ts';
import { desktop } from './desktop.ts';
import { editor } from './editor.ts';
import { erasure } from './erasure.ts';
import { evidence } from './evidence.ts';
import { exporting } from './exporting.ts';
import { gallery } from './gallery.ts';
import { help } from './help.ts';
import { history } from './history.ts';
import { insights } from './insights.ts';
import { insurances } from './insurances.ts';
import { key_list } from './key-list.ts';
import { linked } from './linked.ts';
import { kind } from './kind.ts';
import { mail } from './mail.ts';
import { markup } from './markup.ts';
import { members } from './members.ts';
import { not_finished } from './not-finished.ts';
import { paper } from './paper.ts';
import { person_copy } from './person-copy.ts';
import { photo_notes } from './photo-notes.ts';
import { photo_settings } from './photo-settings.ts';
import { plain_server } from './plain-server.ts';
import { plans } from './plans.ts';
import { printing } from './printing.ts';
import { reportable } from './reportable.ts';
import { retention } from './retention.ts';
import { said } from './said.ts';
import { saved_view } from './saved-view.ts';
import { settings } from './settings.ts';
import { tour } from './tour.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';
import { tm } from './time-and-material.ts';
import { waiting } from './waiting.ts';
import { week } from './week.ts';
import { who_saw } from './who-saw.ts';

export const company_module = {
  access,
  answer,
  capture_settings,
  box,
  comments,
  own_data,
  tm,
  editor,
  erasure,
  evidence,
  exporting,
  gallery,
  help,
  history,
  insights,
  insurances,
  key_list,
  linked,
  kind,
  mail,
  markup,
  members,
  not_finished,
  paper,
  person_copy,
  photo_notes,
  photo_settings,
  settings,
  tour,
  webhooks,
  users,
  company,
  connect,
  desktop,
  plain_server,
  plans,
  printing,
  reportable,
  retention,
  said,
  saved_view,
  waiting,
  week,
  who_saw,
};
