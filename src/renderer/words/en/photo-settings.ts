/** How photos are taken in: the part of the settings that says so. */

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
  note: 'Removing changes no pixel, and keeps the time the photo was taken. A smaller photo is never larger in bytes than its original, which stays on this laptop until the smaller one is delivered. Each photo can still be sent as it is. HEIC photos and videos are sent in their own size.',
};
