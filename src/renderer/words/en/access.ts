/** The rights of each level, and why an action is not offered. */
export const access = {
  cannot_file: 'Your account can only read',
  cannot_file_text:
    'You can look at reports and print them, and you cannot file or change any. An admin of your company can change that under Company, More, Users.',
  cannot_change: 'Your account cannot change this report',
  cannot_change_text: 'Its author or an admin of your company can change it.',
  photos_only: 'You can add photos and captions here',
  photos_only_text:
    'The rest of a report that was sent can be changed by an admin of your company.',
  answers_only_text:
    'Somebody else filed this report. Its author or an admin of your company can change the rest.',
  add_photos: 'Add photos',
};
