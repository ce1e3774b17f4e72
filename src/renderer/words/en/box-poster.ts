/** The poster of the report box. All languages are on it. */

export const box_poster = {
  title: 'Seen something unsafe?',
  join: 'Join the Wi-Fi',
  scan: 'Scan the code. Write what happened. Add photos. Send.',
  becomes: 'A supervisor reads it. With your code you see what was done.',
  unnamed: 'No app. No name needed.',
};
