/**
 * Manages the local company: real work on this laptop without a server. Its service, data folder and account are separate from
 * the sample data, so the two never mix. The company is created once, by the service's own command.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanyNames } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { LAPTOP_LOGIN } from '../../contract/service-line.ts';
import type { StartService } from './embedded.ts';
import { wordsOf, type Log } from '../lib/log.ts';
import type { CommandEnd, RunCommand } from './embedded-service.ts';

export interface LocalCompanyParts {
  /** Data folder of the local company's service. */
  readonly folder: string;
  readonly start: StartService;
  readonly command: RunCommand;
}

export interface LocalCompany {
  exists(): boolean;
  /** Creates the company. An existing company is left unchanged. */
  make(names: CompanyNames): Promise<Result<null>>;
}

/** Exit code for invalid input. Here it means that the user already exists. */
const REFUSED = 2;

export const createLocalCompany = (parts: LocalCompanyParts | null, log: Log): LocalCompany => ({
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
    log({ level: 'error', message: 'the company of this laptop was not made', detail: ended.why });
    if (/ENOSPC|SQLITE_FULL|disk is full/.test(ended.why))
      return fail({ kind: 'no_space', detail: ended.why });
    return fail({ kind: 'offline', reason: 'refused', detail: ended.why });
  },
});
