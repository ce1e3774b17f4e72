/** The answer to a near miss: who has seen it, and what was done. */
import type { Words } from '../shape.ts';

export const answer: Words['answer'] = {
  title: 'Respuesta',
  see: 'Visto',
  write: 'Qué hicimos',
  change: 'Cambiar la respuesta',
  what: '¿Qué hicimos al respecto?',
  what_hint: 'Una línea para quien lo reportó.',
  seen_by: (name) => `Visto por ${name}`,
  seen_at: (name, at) => `Visto por ${name}, ${at}`,
  marked_seen: 'Marcado como visto. Quien reportó puede verlo.',
  saved: 'Respuesta guardada.',
};
