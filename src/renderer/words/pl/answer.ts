/** The answer to a near miss: who has seen it, and what was done. */
import type { Words } from '../shape.ts';

export const answer: Words['answer'] = {
  title: 'Odpowiedź',
  see: 'Widziane',
  write: 'Co zrobiliśmy',
  change: 'Zmień odpowiedź',
  what: 'Co z tym zrobiliśmy?',
  what_hint: 'Jedno zdanie dla osoby, która to zgłosiła.',
  seen_by: (name) => `Widziane: ${name}`,
  seen_at: (name, at) => `Widziane: ${name}, ${at}`,
  marked_seen: 'Oznaczono jako widziane. Zgłaszający to zobaczy.',
  saved: 'Odpowiedź zapisana.',
};
