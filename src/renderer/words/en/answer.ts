/** The answer to a near miss: who has seen it, and what was done. */

export const answer = {
  title: 'Answer',
  see: 'Seen',
  write: 'What we did',
  change: 'Change the answer',
  what: 'What did we do about it?',
  what_hint: 'One line for the person who reported it.',
  seen_by: (name: string) => `Seen by ${name}`,
  seen_at: (name: string, at: string) => `Seen by ${name}, ${at}`,
  marked_seen: 'Marked as seen. The reporter can see that.',
  saved: 'Answer saved.',
};
