/** Settings of photos: how they are imported, when they are sent, how long they stay. */
import { bytes, photos } from './say.ts';

export const photo_settings = {
  title: 'Photos',
  privacy: 'Location and personal data in photos',
  privacies: { on: 'Remove', off: 'Keep' },
  privacy_notes: {
    on: 'GPS position, names, serial numbers',
    off: 'Photos are sent unchanged',
  },
  size: 'Photo size',
  sizes: { original: 'Original', '2560': '2560 pixels', '1600': '1600 pixels' },
  size_notes: {
    original: 'As the camera took it',
    '2560': 'Fills a large screen',
    '1600': 'For slow networks',
  },
  sending: 'When photos are sent',
  sendings: { always: 'Right away', good_link: 'On Wi-Fi', by_hand: 'Manually' },
  sending_notes: {
    always: 'Text first, then photos',
    good_link: 'Not on mobile or slow networks',
    by_hand: 'Text right away, photos when you send them',
  },
  keep: 'Delivered photos on this laptop',
  keeps: { '0': 'Remove right away', '7': '7 days', '30': '30 days' },
  keep_notes: {
    '0': 'When the server has them',
    '7': 'After delivery',
    '30': 'After delivery',
  },
  storage: {
    title: 'Photos on this laptop',
    here: 'On this laptop now',
    delivered: 'Already delivered, removed later',
    freed: 'Space freed by removing delivered photos',
    files: (n: number, size: number) => (n === 0 ? '0 MB' : `${photos(n)}, ${bytes(size)}`),
    unknown: 'The space used by photos could not be read right now.',
  },
  keep_note:
    'A photo counts as delivered once the server has shown that it holds every byte of it. Spotter removes it from this laptop only after that.',
  check: 'Checking delivered photos',
  checks: { proof: 'By proof', bytes: 'Read back whole' },
  check_notes: {
    proof:
      'The server proves that it holds every byte: nothing is transferred twice. If it cannot, Spotter reads the photo back.',
    bytes: 'Every photo is downloaded and compared: takes about twice as long on a slow line.',
  },
  privacy_note: 'The picture itself is not changed, and the time it was taken is kept.',
  size_note:
    'The original stays on this laptop until the smaller photo is delivered. Smaller HEIC photos are sent as JPEG. Videos keep their size.',
};
