/** What is only asked or said of a server that has the API of the reference and none of our additions. */
import { f, photos } from './say.ts';

export const plain_server = {
  choose: 'Choose',
  pick_title: 'Is it one of these?',
  pick_text:
    'The connection broke off while this was sent, so it may be on the server already. The server has these records with the same text. Nothing is sent until you choose.',
  pick_none_left:
    'The records with the same text have turned out to be other reports. Send this one as a new record.',
  pick_label: 'Which record is it?',
  record: (number: string) => `It is near miss ${number}`,
  record_note: (at: number | null, recycled: boolean, facts: string) => {
    const when = at === null ? 'On the server' : `On the server since ${f.moment(at)}`;
    const where = recycled ? `${when}, in the recycle bin now` : when;
    return facts ? `${where}. ${facts}` : where;
  },
  as_new: 'None of them',
  as_new_note: 'Send it as a new record.',
  apply: 'Go on',
  picked: 'Chosen. Its photos follow by themselves.',
  sent_as_new: 'It is sent as a new record.',
  taken: 'That record is another report of yours by now. Look again.',
  to_settings: 'Choose a place',

  place_title: 'Photos',
  place_text:
    'This server takes no photos on near misses. Until you choose a place, texts are delivered and photos wait on this laptop.',
  place_label: 'Photos go to',
  places: {
    time_and_material_entry: 'A time-and-material entry',
    custom_field: 'A custom field',
    laptop: 'Nowhere',
  },
  place_notes: {
    time_and_material_entry: 'Attached there, read back and compared',
    custom_field: 'Named in the near miss; cannot be read back',
    laptop: 'They stay on this laptop and can be exported',
  },
  entry_number: 'Number of the time-and-material entry',
  entry_hint: 'The id in its address on the server. Every photo of this project is attached to it.',
  field_number: 'Number of the custom field',
  field_hint:
    'A text field. The reference of each uploaded photo is added to its text. Most servers delete an upload after a week when nothing else uses it; the original stays on this laptop.',
  number_wrong: 'Enter the number, for example 12.',
  save: 'Save',
  saved: (waiting: number) =>
    waiting === 0 ? 'Saved.' : `Saved. ${photos(waiting)} waited for it: sending now.`,

  receipt_entry: (id: number) => `on time-and-material entry ${id}`,
  receipt_field: (id: number) => `named in custom field ${id}, not read back; the original is here`,
};
