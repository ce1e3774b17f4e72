/** How photos are taken in, when they are sent and how long they stay: the part of the settings that says so. */
import { bytes, photos } from './say.ts';

export const photo_settings = {
  title: 'Photos',
  privacy: 'What a photo says of people and places',
  privacies: { on: 'Remove it', off: 'Leave it in' },
  privacy_notes: {
    on: 'Position, names, serial numbers',
    off: 'Sent as the camera wrote it',
  },
  size: 'Size of what is sent',
  sizes: { original: 'Original', '2560': '2560 pixels', '1600': '1600 pixels' },
  size_notes: {
    original: 'As the camera made it',
    '2560': 'Fills a large screen',
    '1600': 'For slow links',
  },
  sending: 'When photos are sent',
  sendings: { always: 'At once', good_link: 'On a good link', by_hand: 'When I say so' },
  sending_notes: {
    always: 'Text first, then photos',
    good_link: 'Not on mobile or slow networks',
    by_hand: 'Text at once, photos by hand',
  },
  keep: 'Delivered photos on this laptop',
  keeps: { '0': 'Remove at once', '7': '7 days', '30': '30 days' },
  keep_notes: {
    '0': 'When the server has them',
    '7': 'After delivery',
    '30': 'After delivery',
  },
  storage: {
    title: 'Photos on this laptop',
    here: 'On this laptop now',
    delivered: 'Of these delivered, to be removed when their days are over',
    freed: 'Freed so far by removing delivered ones',
    files: (n: number, size: number) => (n === 0 ? 'nothing' : `${photos(n)}, ${bytes(size)}`),
    unknown: 'How much photos take here could not be found out just now.',
  },
  keep_note:
    'A photo counts as delivered when it was read back from the server and found equal, byte for byte. Only then is it ever removed here.',
  privacy_note:
    'Removing changes no pixel, and keeps the time the photo was taken. A photo that is not marked up can still be sent as it is.',
  size_note:
    'The original stays on this laptop until the smaller one is delivered. A smaller HEIC photo is sent as a JPEG; videos are sent in their own size.',
};
