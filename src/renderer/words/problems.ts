/**
 * Describes every Problem in plain words: what happened, what is safe, what to do. Exhaustive over the closed union: a new
 * kind does not compile without sentences in every language.
 */
import type { Problem } from '../../contract/problem.ts';
import { words } from './words.ts';

export interface ProblemWords {
  /** What happened, in one short sentence. */
  readonly what: string;
  /** Says which data is safe; '' if nothing was at risk. */
  readonly safe: string;
  /** What to do, or that nothing needs to be done. */
  readonly todo: string;
}

/**
 * `near_miss.work_activity_id` -> `work activity`; `near_miss.custom_field_7` -> `custom field 7`; `lines.17.name` -> `row
 * 17, name`.
 */
export const fieldName = (field: string): string => {
  const [, line, of] = /^lines\.(\d+)\.(.+)$/.exec(field) ?? [];
  if (line !== undefined && of !== undefined)
    return words.problem.row_field(Number(line), fieldName(of));
  const last = field.split('.').at(-1) ?? field;
  const custom = /^custom_field_(\d+)$/.exec(last);
  if (custom) return words.problem.custom_field(custom[1] ?? '');
  const name = last.replace(/_ids?$/, '');
  return words.problem.fields[name] ?? name.replaceAll('_', ' ');
};

/** Maps an API field to its label. Callers that know the custom fields can label more of them. */
export type NameOf = (field: string) => string;

/** True if the field has a label. */
const isNamed = (field: string): boolean => {
  const last = field.split('.').at(-1) ?? field;
  return (
    /^custom_field_\d+$/.test(last) ||
    words.problem.fields[last.replace(/_ids?$/, '')] !== undefined
  );
};

/** Drops the final full stop, which is written outside the quotes. */
const bare = (message: string): string => message.trim().replace(/\.$/, '');

/** The server's own messages, quoted: `work activity “is not active”; “no such project”`. */
export const serverSays = (
  problem: {
    readonly messages: readonly string[];
    readonly fields?: Readonly<Record<string, readonly string[]>>;
  },
  nameOf: NameOf = fieldName,
): string => {
  const named = Object.entries(problem.fields ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => words.problem.field_says(nameOf(field), bare(message))),
  );
  // Servers may repeat a field's message in the API's spelling: `near_miss.incident_id must exist`.
  const spelled = new Set(
    Object.entries(problem.fields ?? {}).flatMap(([field, messages]) =>
      messages.map((message) => `${field} ${message}`),
    ),
  );
  const others = problem.messages
    .filter((message) => !spelled.has(message))
    .map((message) => words.problem.quoted(bare(message)));
  return [...new Set([...named, ...others])].slice(0, 5).join('; ');
};

const refused = (problem: Extract<Problem, { kind: 'refused' }>, nameOf: NameOf): ProblemWords => {
  const t = words.problem;
  const says = serverSays(problem, nameOf);
  if (problem.status === 403) return { what: t.forbidden, safe: t.here, todo: t.forbidden_todo };
  if (problem.status === 413) return { what: t.too_large, safe: t.here, todo: t.too_large_todo };
  return { what: says ? t.server_says(says) : t.refused, safe: t.here, todo: t.refused_todo };
};

type BadInput = Extract<Problem, { kind: 'bad_input' }>;

/** Why an input was rejected, in our own words. The host's message is for diagnostics only. */
export const inputFault = ({ fault, fields }: BadInput, nameOf: NameOf = fieldName): string => {
  const t = words.problem;
  if (fault !== undefined) return t.input[fault];
  const named = Object.keys(fields).filter(isNamed).map(nameOf);
  return named.length > 0 ? t.bad_input_at([...new Set(named)]) : t.bad_input;
};

const badInput = (problem: BadInput, nameOf: NameOf): ProblemWords => ({
  what: inputFault(problem, nameOf),
  safe: words.problem.here,
  todo: words.problem.bad_input_todo,
});

/** The words for a problem. Never contains codes, stack traces or addresses. */
export const problemWords = (problem: Problem, nameOf: NameOf = fieldName): ProblemWords => {
  const t = words.problem;
  const safe = t.here;
  switch (problem.kind) {
    case 'offline':
      return { what: t.offline[problem.reason], safe, todo: t.offline_todo };
    case 'timeout':
      return { what: t.timeout, safe, todo: t.timeout_todo };
    case 'no_access':
      return { what: t.no_access, safe, todo: t.no_access_todo };
    case 'signed_out':
      return { what: t.signed_out, safe, todo: t.signed_out_todo };
    case 'refused':
      return refused(problem, nameOf);
    case 'conflict':
      return { what: t.conflict, safe: t.kept, todo: t.conflict_todo };
    case 'gone':
      return { what: t.gone, safe: t.kept, todo: t.gone_todo };
    case 'outcome_unknown':
      return { what: t.outcome_unknown(problem.records), safe, todo: t.outcome_unknown_todo };
    case 'no_photo_place':
      return problem.chosen
        ? { what: t.photos_stay, safe: t.photos_safe, todo: t.photos_stay_todo }
        : { what: t.no_photo_place, safe: t.photos_safe, todo: t.no_photo_place_todo };
    case 'busy': {
      const wait = problem.retry_after_ms;
      return { what: t.busy, safe, todo: wait === null ? t.retried : t.busy_todo(wait) };
    }
    case 'server_error':
      return { what: t.server_error, safe, todo: t.retried };
    case 'broken_reply':
      return problem.looks_like === 'html' || problem.looks_like === 'redirect'
        ? { what: t.portal, safe, todo: t.portal_todo }
        : { what: t.garbled, safe, todo: t.garbled_todo };
    case 'cancelled':
      return { what: t.cancelled, safe, todo: t.cancelled_todo };
    case 'not_connected':
      return { what: t.not_connected, safe, todo: t.not_connected_todo };
    case 'vault': {
      const todo = problem.state === 'too_long' ? t.vault_too_long_todo : t.vault_todo;
      return { what: t.vault[problem.state], safe, todo };
    }
    case 'no_space':
      return { what: t.no_space, safe: t.no_space_safe, todo: t.no_space_todo };
    case 'photo_damaged':
      return { what: t.photo[problem.reason], safe: t.photo_safe, todo: t.photo_todo };
    case 'bad_input':
      return badInput(problem, nameOf);
    case 'bug':
      return { what: t.bug, safe, todo: t.bug_todo };
    default:
      return problem satisfies never;
  }
};

/** Why a photo was not added, and what to do. The typed text is not at risk. */
export const photoProblem = (problem: Problem): Pick<ProblemWords, 'what' | 'todo'> => {
  const t = words.problem;
  // An unsupported file was never sent, so only its own reason applies.
  if (problem.kind === 'bad_input') return { what: inputFault(problem), todo: '' };
  return problem.kind === 'no_space'
    ? { what: t.no_space_photo, todo: t.no_space_photo_todo }
    : problemWords(problem);
};

/** All three sentences in one line, for a toast or a row. */
export const problemLine = (problem: Problem): string => {
  const { what, safe, todo } = problemWords(problem);
  return [what, safe, todo].filter(Boolean).join(' ');
};
