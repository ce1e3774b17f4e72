/**
 * Pure: the text that "Copy diagnostics" puts on the clipboard: states, versions, counts and kinds of errors. It names no
 * person, company, project, address or record, so that it can be sent to anybody.
 */
import type { HostOutput, SessionView } from '../../../contract/host.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { QueueCounts } from '../../outbox/queue/queue.ts';
import type { StartedWindow } from '../../outbox/start.ts';
import type { AppInfo } from '../../state/session/session.svelte.ts';
import type { Trouble } from '../../state/troubles.ts';

export interface DiagnosticsInput {
  readonly info: AppInfo | null;
  readonly session: SessionView | null;
  readonly settings: Settings;
  /** The language in use, not the setting. */
  readonly language: string;
  readonly online: boolean | null;
  readonly counts: QueueCounts;
  readonly hold: Problem | null;
  /** The last error of each pending operation. */
  readonly problems: readonly Problem[];
  readonly repaired: StartedWindow['repaired'] | null;
  readonly host: HostOutput<'app.diagnostics'> | null;
  readonly troubles: readonly Trouble[];
  /** The time of the report, in milliseconds since the epoch. */
  readonly at: number;
}

/** The kind of a problem without its text: `refused 422`, `offline dns`. */
export const kindOf = (problem: Problem): string => {
  if ('looks_like' in problem) return `${problem.kind} ${problem.looks_like}`;
  if ('status' in problem) return `${problem.kind} ${problem.status}`;
  if ('reason' in problem) return `${problem.kind} ${problem.reason}`;
  return 'state' in problem ? `${problem.kind} ${problem.state}` : problem.kind;
};

const counted = (kinds: readonly string[]): string => {
  const sums = new Map<string, number>();
  for (const kind of kinds) sums.set(kind, (sums.get(kind) ?? 0) + 1);
  return [...sums].map(([kind, n]) => `${kind} x${n}`).join(', ');
};

const stamp = (at: number): string => new Date(at).toISOString();

export const diagnosticsOf = (input: DiagnosticsInput): string => {
  const { info, session, settings, counts, repaired, host } = input;
  const at = new Date(input.at);
  const encrypted = session?.address?.startsWith('https:') === true;
  const online = input.online === null ? 'not asked' : input.online ? 'yes' : 'no';
  const { photo_privacy, photo_size, photo_sending, photo_keep_days, photo_read_back, theme } =
    settings;
  return [
    `Spotter ${info?.version ?? '?'} (${info?.shell ?? '?'}), ${info?.platform ?? '?'}, Node ${info?.node ?? '?'}`,
    `Time: ${at.toISOString()} (offset ${-at.getTimezoneOffset()} min)`,
    `Language: ${input.language} (setting ${settings.language}), theme ${theme}`,
    `Session: ${session?.state ?? '?'}, ${session?.kind ?? 'none'}${session?.kind === 'server' ? `, ${encrypted ? 'https' : 'http'}` : ''}`,
    `Vault: ${session?.vault.kind ?? '?'}, ${session?.vault.state ?? '?'}`,
    `Service answers: ${online}`,
    `Queue: ${counts.records} records, ${counts.operations} operations, ${counts.photos} photos, ${counts.parked} need the user, ${counts.quarantined} unreadable`,
    `Sending held up by: ${input.hold === null ? 'nothing' : kindOf(input.hold)}`,
    `Last answers to what is still here: ${counted(input.problems.map(kindOf)) || 'none'}`,
    `Photos: ${photo_privacy ? 'cleaned' : 'as they are'}, size ${photo_size}, sent ${photo_sending}, kept ${photo_keep_days} days, ${photo_read_back ? 'read back whole' : 'proved by the server'}`,
    `Journal: ${host === null ? '?' : `${host.journal.bytes} B, ${host.journal.operations} operations`}`,
    `At start: ${repaired?.rebuilt ?? 0} rebuilt, ${repaired?.quarantined ?? 0} unreadable, ${repaired?.damaged ?? 0} damaged lines in the journal and ${repaired?.unfinished ?? 0} unfinished, database ${repaired?.replaced_database ? 'replaced' : 'kept'}`,
    ...(host?.said ?? []).map(
      ({ at: when, level, message, code }) =>
        `${stamp(when)} host ${level}: ${message}${code === '' ? '' : ` (${code})`}`,
    ),
    ...input.troubles.map(({ at: when, where }) => `${stamp(when)} window error: ${where}`),
  ].join('\n');
};
