/** How long reports are kept, and legal holds. */
import { count } from './say.ts';

const reports = (n: number) => count(n, { one: '# report', other: '# reports' });
const are = (n: number) => `${reports(n)} ${n === 1 ? 'is' : 'are'}`;
const would = (n: number) => `${reports(n)} would be`;

export const retention = {
  title: 'How long reports are kept',
  note: 'Anonymise old reports, empty the recycle bin',
  text: 'Off unless you choose it. What is removed cannot be brought back.',
  back: 'Company data',
  years: 'Anonymise reports',
  presets: {
    off: 'Never',
    uk: 'UK: 3 years',
    us: 'US: 5 years',
    own: 'Another number',
  },
  years_own: 'Years after the event',
  years_bad: 'A whole number from 1 to 50',
  bin: 'Empty the recycle bin',
  bin_options: {
    off: 'Never',
    30: 'After 30 days',
    60: 'After 60 days',
    90: 'After 90 days',
    own: 'Another number',
  },
  bin_own: 'Days in the recycle bin',
  bin_bad: 'A whole number from 30 to 90',
  usual: 'The presets are what companies usually choose. Ask your legal adviser.',
  goes: 'What is removed',
  goes_text:
    'Every text, the comments, the photos, the place and the pin, who was affected, who reported it and who changed it, on the server and on each laptop when it is next online.',
  stays: 'What stays',
  stays_text:
    'Number, job, dates, severity, kind and the other choices. Figures stay the same, except for places, pins and photos. Titles and texts of jobs stay too: change them under Jobs and areas.',
  copies:
    'Backups keep what they have until they are deleted. Files that somebody exported stay where they are.',
  held_text: 'A report under a legal hold stays as it is. Hold it in the menu of the report.',
  preview: 'What would happen',
  nothing: 'Nothing would be anonymised or deleted.',
  anonymise_now: (n: number) => `${would(n)} anonymised today.`,
  anonymise_soon: (n: number) => `${would(n)} anonymised in the next 30 days.`,
  delete_now: (n: number) => `${would(n)} deleted from the recycle bin today.`,
  delete_soon: (n: number) => `${would(n)} deleted from the recycle bin in the next 30 days.`,
  held: (n: number) => `${are(n)} under a legal hold and would stay.`,
  hidden: (n: number) => `${are(n)} in private jobs that you do not see.`,
  acts: { anonymise: 'Anonymised', delete: 'Deleted' },
  row: (number: string) => `Near miss ${number}`,
  is_held: 'Legal hold',
  more: 'Show more',
  looking: 'Looking through the reports…',
  save: 'Save',
  saved: 'Saved. The server looks every hour.',
  sure: (n: number) =>
    n === 0 ? 'Save this choice?' : `Save, and lose the texts and photos of ${reports(n)}?`,
  sure_text: 'This cannot be undone.',
  offline: 'You can choose this when you’re online.',
  missing: 'This server keeps reports until somebody deletes them.',
  anonymised: (day: string) =>
    `Anonymised on ${day}. Texts and photos are gone; figures still count this report.`,
  hold: {
    open: 'Legal hold…',
    title: 'Legal hold',
    text: 'While it is held, the report is not anonymised, and nobody can delete it, remove a photo or a comment, or redact its history.',
    reason: 'Reason',
    reason_hint: 'Only admins see it. For example: claim of 4 May, file 112.',
    reason_missing: 'Say why it is held',
    set: 'Hold',
    change: 'Change the reason',
    release: 'Release the hold',
    was_set: 'The report is held.',
    was_released: 'The hold is released.',
    logged: 'The log keeps who held and released a report.',
    mark: 'Legal hold',
    since: (who: string, day: string) => `Held by ${who} since ${day}`,
    offline: 'You can hold a report when you’re online.',
    missing: 'This server has no legal holds.',
  },
};
