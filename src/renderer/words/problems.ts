/**
 * Every Problem in plain words: what happened, what is safe, what to do. One function, exhaustive over the closed union:
 * a new kind of problem does not compile until somebody has written its sentence.
 */
import type { Problem } from '../../contract/problem.ts';
import { words } from './words.ts';

export interface ProblemWords {
  /** What happened. One short sentence. */
  readonly what: string;
  /** What is safe. Empty where nothing was at stake. */
  readonly safe: string;
  /** What to do, or that nothing has to be done. */
  readonly todo: string;
}

const HERE = 'Everything is safe on this laptop.';

/** `near_miss.work_activity_id` -> `work activity`; `near_miss.custom_field_7` -> `field 7`. */
export const fieldName = (field: string): string => {
  const last = field.split('.').at(-1) ?? field;
  const custom = /^custom_field_(\d+)$/.exec(last);
  if (custom) return `field ${custom[1] ?? ''}`;
  return last.replace(/_ids?$/, '').replaceAll('_', ' ');
};

/** The server's own words, as it said them: `work activity is not active; incident must exist`. */
export const serverSays = (problem: {
  readonly messages: readonly string[];
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}): string => {
  const named = Object.entries(problem.fields ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => `${fieldName(field)} ${message}`),
  );
  // The same may come twice: by its field, and as the API spells it, `near_miss.incident_id must exist`.
  const spelled = new Set(
    Object.entries(problem.fields ?? {}).flatMap(([field, messages]) =>
      messages.map((message) => `${field} ${message}`),
    ),
  );
  const others = problem.messages.filter((message) => !spelled.has(message));
  return [...new Set([...named, ...others])].slice(0, 5).join('; ');
};

const offline: Record<Extract<Problem, { kind: 'offline' }>['reason'], string> = {
  refused: 'The server is not answering.',
  dns: 'The server’s name was not found on this network.',
  reset: 'The connection broke off.',
  unreachable: 'No connection to the server.',
  tls: 'The server’s certificate is not valid, so nothing was sent to it.',
  proxy: 'The proxy of this network does not let Spotter through: ask your office about it.',
};

const vault: Record<Extract<Problem, { kind: 'vault' }>['state'], string> = {
  absent: 'This computer has no keychain that Spotter can use.',
  locked: 'The keychain is locked.',
  hung: 'The keychain does not answer.',
  denied: 'The keychain refused.',
  too_long: 'The token is too long for the keychain.',
};

const refused = (problem: Extract<Problem, { kind: 'refused' }>): ProblemWords => {
  const says = serverSays(problem);
  if (problem.status === 403)
    return {
      what: 'You are not allowed to do this in this project.',
      safe: HERE,
      todo: 'Ask whoever runs the project for access, then send it again.',
    };
  if (problem.status === 413)
    return {
      what: 'The server says it is too large.',
      safe: HERE,
      todo: 'Make the text shorter or the photo smaller, then send it again.',
    };
  return {
    what: says ? `The server says: ${says}.` : 'The server did not accept it.',
    safe: HERE,
    todo: 'Correct it, then send it again.',
  };
};

const brokenReply = (problem: Extract<Problem, { kind: 'broken_reply' }>): ProblemWords =>
  problem.looks_like === 'html' || problem.looks_like === 'redirect'
    ? {
        what: 'Something between this laptop and the server answers in its place, as a Wi-Fi sign-in page does.',
        safe: HERE,
        todo: 'Sign in to the Wi-Fi or use another network. Sending goes on by itself.',
      }
    : {
        what: 'The server’s answer could not be understood.',
        safe: HERE,
        todo: 'Spotter tries again by itself. If it stays, check the server’s address.',
      };

/** The words for a problem. Never shows codes, stacks or addresses. */
export const problemWords = (problem: Problem): ProblemWords => {
  switch (problem.kind) {
    case 'offline':
      return {
        what: offline[problem.reason],
        safe: HERE,
        todo: 'It is sent by itself when the connection is back.',
      };
    case 'timeout':
      return {
        what: 'The server took too long to answer.',
        safe: HERE,
        todo: 'Spotter tries again by itself. Nothing is sent twice.',
      };
    case 'signed_out':
      return {
        what: 'The server no longer accepts the token.',
        safe: HERE,
        todo: 'Sign in again to send.',
      };
    case 'refused':
      return refused(problem);
    case 'conflict':
      return {
        what: 'Someone else changed it in the meantime.',
        safe: 'Your version is kept on this laptop.',
        todo: 'Open it, look at both versions, then send it again.',
      };
    case 'gone':
      return {
        what: 'The server no longer has it.',
        safe: 'Your version is kept on this laptop.',
        todo: 'Export it or take it back.',
      };
    case 'unsure':
      return {
        what:
          problem.records === 1
            ? 'The connection broke off while it was sent. The server has a record with the same text.'
            : `The connection broke off while it was sent. The server has ${problem.records} records with the same text.`,
        safe: HERE,
        todo: 'Say whether one of them is this one. Until then it is not sent again, so that nothing is filed twice.',
      };
    case 'no_photo_place':
      return problem.chosen
        ? {
            what: 'This server takes no photos on near misses. By your setting they stay on this laptop.',
            safe: 'The text was delivered. The photos are safe on this laptop.',
            todo: 'Export them, or choose another place for photos in Settings.',
          }
        : {
            what: 'This server takes no photos on near misses.',
            safe: 'The text was delivered. The photos are safe on this laptop.',
            todo: 'Choose in Settings where photos go, or export them.',
          };
    case 'busy':
      return {
        what: 'The server asks everyone to slow down.',
        safe: HERE,
        todo:
          problem.retry_after_ms === null
            ? 'Spotter tries again by itself.'
            : `Spotter tries again in ${words.format.span(problem.retry_after_ms)}.`,
      };
    case 'server_error':
      return {
        what: 'The server has a fault of its own.',
        safe: HERE,
        todo: 'Spotter tries again by itself.',
      };
    case 'broken_reply':
      return brokenReply(problem);
    case 'cancelled':
      return { what: 'It was stopped.', safe: HERE, todo: 'Send it again when you like.' };
    case 'not_connected':
      return {
        what: 'Spotter is not connected to a server yet.',
        safe: HERE,
        todo: 'Open Settings and connect.',
      };
    case 'vault':
      return {
        what: vault[problem.state],
        safe: HERE,
        todo:
          problem.state === 'too_long'
            ? 'Ask for a shorter token.'
            : 'Unlock the keychain, then press Try again. You can go on working meanwhile.',
      };
    case 'no_space':
      return {
        what: 'The disk is full. This was not saved.',
        safe: 'What was saved before is intact.',
        todo: 'Free some space, then save again. Your text stays in the form.',
      };
    case 'photo_damaged':
      return {
        what:
          problem.reason === 'missing'
            ? 'The photo’s file is gone from this laptop.'
            : problem.reason === 'changed'
              ? 'The photo’s file changed on this laptop since it was added.'
              : 'The photo could not be read.',
        safe: 'The text of the near miss is not affected.',
        todo: 'Add the photo again, or send without it.',
      };
    case 'bad_input':
      return {
        what: serverSays(problem)
          ? `This cannot be sent as it is: ${serverSays(problem)}.`
          : 'This cannot be sent as it is.',
        safe: HERE,
        todo: 'Correct it and try again.',
      };
    case 'bug':
      return {
        what: 'Spotter made a mistake of its own.',
        safe: HERE,
        todo: 'Try again. If it stays, copy the diagnostics in Settings and send them to whoever looks after Spotter.',
      };
    default:
      return problem satisfies never;
  }
};

/** The three in one line, for a toast or a row. */
export const problemLine = (problem: Problem): string => {
  const { what, safe, todo } = problemWords(problem);
  return [what, safe, todo].filter(Boolean).join(' ');
};
