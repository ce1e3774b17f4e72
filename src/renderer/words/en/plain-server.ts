/** Sentences for a server that has the reference API but not the Spotter extension. */
import { f, photos } from './say.ts';

export const plain_server = {
  choose: 'Choose',
  pick_title: 'Is it one of these?',
  pick_text:
    'The connection was lost while this was being sent, so the server may have it already. These reports on the server have the same text. Nothing is sent until you choose.',
  pick_none_left:
    'The reports with the same text are different reports. Send this one as a new report.',
  pick_label: 'Which report is it?',
  record: (number: string) => `It is near miss ${number}`,
  record_note: (at: number | null, recycled: boolean, facts: string) => {
    const when = at === null ? 'On the server' : `On the server since ${f.moment(at)}`;
    const where = recycled ? `${when}, in the recycle bin now` : when;
    return facts ? `${where}. ${facts}` : where;
  },
  as_new: 'None of them',
  as_new_note: 'Send mine as a new report.',
  apply: 'Continue',
  picked: 'Saved. The photos will follow.',
  sent_as_new: 'It will be sent as a new report.',
  taken: 'That report turned out to be another one of yours. Check again.',
  to_settings: 'Choose a place',

  place_title: 'Photos',
  place_text:
    'This server does not accept photos on near misses. Until you choose a place, text is delivered and photos wait on this laptop.',
  place_label: 'Photos go to',
  places: {
    time_and_material_entry: 'A time and materials entry',
    custom_field: 'A custom field',
    laptop: 'Nowhere',
  },
  place_notes: {
    time_and_material_entry: 'Attached there and checked',
    custom_field: 'Named in the near miss, but not checked',
    laptop: 'They stay on this laptop, and you can export them',
  },
  entry_number: 'Number of the time and materials entry',
  entry_hint:
    'The number in its web address on the server. Spotter attaches every photo of this project to it.',
  field_number: 'Number of the custom field',
  field_hint:
    'Spotter writes a reference to each photo into this text field. Most servers delete unused uploads after a week. The originals stay on this laptop.',
  number_wrong: 'Enter a number, for example 12.',
  save: 'Save',
  saved: (waiting: number) => (waiting === 0 ? 'Saved.' : `Saved. Sending ${photos(waiting)} now.`),

  receipt_entry: (id: number) => `on time and materials entry ${id}`,
  receipt_field: (field: string) => `named in “${field}”, not checked, original on this laptop`,
};
