/**
 * Pure: the text that "Copy diagnostics" puts on the clipboard. States, versions and counts, and nothing that names a
 * person, a company, a project, an address or a record, so that it can be sent to anybody.
 */
import type { SessionView } from '../../../contract/host.ts';
import type { QueueCounts } from '../../outbox/queue.ts';
import type { StartedWindow } from '../../outbox/start.ts';
import type { AppInfo } from '../../state/session.svelte.ts';

export interface DiagnosticsInput {
  readonly info: AppInfo | null;
  readonly session: SessionView | null;
  readonly online: boolean | null;
  readonly counts: QueueCounts;
  readonly hold: string | null;
  readonly repaired: StartedWindow['repaired'] | null;
  readonly at: Date;
}

export const diagnosticsOf = ({
  info,
  session,
  online,
  counts,
  hold,
  repaired,
  at,
}: DiagnosticsInput): string => {
  const encrypted = session?.address?.startsWith('https:') === true;
  return [
    `Spotter ${info?.version ?? '?'} (${info?.shell ?? '?'}), ${info?.platform ?? '?'}, Node ${info?.node ?? '?'}`,
    `Time: ${at.toISOString()} (offset ${-at.getTimezoneOffset()} min)`,
    `Session: ${session?.state ?? '?'}, ${session?.kind ?? 'none'}${session?.kind === 'server' ? `, ${encrypted ? 'https' : 'http'}` : ''}`,
    `Vault: ${session?.vault.kind ?? '?'}, ${session?.vault.state ?? '?'}`,
    `Service answers: ${online === null ? 'not asked' : online ? 'yes' : 'no'}`,
    `Queue: ${counts.records} records, ${counts.entries} entries, ${counts.photos} photos, ${counts.parked} need the user, ${counts.quarantined} unreadable`,
    `On hold: ${hold ?? 'no'}`,
    `At start: ${repaired?.rebuilt ?? 0} rebuilt, ${repaired?.quarantined ?? 0} unreadable, ${repaired?.damaged ?? 0} damaged lines in the journal, database ${repaired?.replaced_database ? 'replaced' : 'kept'}`,
  ].join('\n');
};
