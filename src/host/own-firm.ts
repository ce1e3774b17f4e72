/**
 * A firm of this laptop's own: real work without a server. Its service, database and files are others than those of the sample data,
 * in a folder of their own, and so is the account: the two never meet. The firm is made once, by the service's own command.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FirmNames } from '../contract/host.ts';
import { fail, ok, type Result } from '../contract/problem.ts';
import { LAPTOP_LOGIN } from '../contract/service-line.ts';
import type { StartService } from './embedded.ts';
import { wordsOf, type Log } from './log.ts';
import type { CommandEnd, RunCommand } from './own-service.ts';

/** What a shell gives for it. */
export interface OwnFirmParts {
  /** The data folder of its service. */
  readonly folder: string;
  readonly start: StartService;
  readonly command: RunCommand;
}

export interface OwnFirm {
  /** Was one made on this laptop? */
  exists(): boolean;
  /** Makes it; one that is there already stays as it is. */
  make(names: FirmNames): Promise<Result<null>>;
}

/** The exit code of a command that says what is wrong with what it was asked for: here, that its user is there already. */
const REFUSED = 2;

export const createOwnFirm = (parts: OwnFirmParts | null, log: Log): OwnFirm => ({
  exists: () => parts !== null && existsSync(join(parts.folder, 'spotter.db')),
  make: async ({ company, project, user }) => {
    if (parts === null) return fail({ kind: 'not_connected' });
    const ended = await parts
      .command([
        'token',
        'create',
        `--user=${LAPTOP_LOGIN}`,
        `--new-user=${user}`,
        `--new-company=${company}`,
        `--new-project=${project}`,
      ])
      .catch((error: unknown): CommandEnd => ({ said: null, code: null, why: wordsOf(error) }));
    if (ended.said !== null || ended.code === REFUSED) return ok(null);
    log({ level: 'error', message: 'the firm of this laptop was not made', detail: ended.why });
    if (/ENOSPC|SQLITE_FULL|disk is full/.test(ended.why))
      return fail({ kind: 'no_space', detail: ended.why });
    return fail({ kind: 'offline', reason: 'refused', detail: ended.why });
  },
});
