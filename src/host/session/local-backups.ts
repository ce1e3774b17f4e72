/**
 * Lists and restores the daily backups of the embedded service's database. Runs the service's own command in a separate
 * process, because the host does not know its database. The service is stopped during a restore.
 */
import { z } from 'zod';
import { serviceCopy, type ServiceCopy } from '../../contract/host.ts';
import { fail, ok, type InputFault, type Result } from '../../contract/problem.ts';
import type { Embedded } from './embedded.ts';
import { wordsOf, type Log } from '../lib/log.ts';
import type { CommandEnd, RunCommand } from './embedded-service.ts';
import type { Session } from './session-types.ts';

export interface OwnCopies {
  list(): Promise<Result<{ copies: ServiceCopy[] }>>;
  restore(name: string): Promise<Result<{ replaced: string; running: boolean }>>;
}

type OwnKind = 'this_laptop' | 'local_company';

export interface OwnService {
  readonly embedded: Pick<Embedded, 'running'>;
  readonly command: RunCommand;
}

export interface OwnCopiesParts {
  readonly session: Pick<Session, 'view' | 'withoutService'>;
  /** By session kind. Null if this app lacks the service. */
  readonly services: Readonly<Record<OwnKind, OwnService | null>>;
  readonly log: Log;
}

const listed = z.object({ copies: z.array(serviceCopy) });
const restored = z.object({ replaced: z.string() });

/** Exit code for invalid input. In a restore, only the backup itself can be invalid. */
const REFUSED = 2;

const fault = (name: InputFault, message: string): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: {}, fault: name });

const elsewhere = (): Result<never> =>
  fault('copies_elsewhere', 'the session is not with the service on this laptop');

const failed = ({ code, why }: CommandEnd): Result<never> => {
  if (code === REFUSED) return fault('copy_damaged', why);
  if (/ENOSPC|SQLITE_FULL|disk is full/.test(why)) return fail({ kind: 'no_space', detail: why });
  return fault('copy_failed', why);
};

export const createOwnCopies = ({ session, services, log }: OwnCopiesParts): OwnCopies => {
  const service = (): OwnService | null => {
    const { kind } = session.view();
    return kind === 'this_laptop' || kind === 'local_company' ? services[kind] : null;
  };
  const run = async <T>(
    words: readonly string[],
    answer: z.ZodType<T>,
    toResult: (end: CommandEnd) => Result<never>,
  ): Promise<Result<T>> => {
    const own = service();
    if (own === null) return elsewhere();
    const ended = await own.command(words).catch((error: unknown): CommandEnd => {
      return { said: null, code: null, why: wordsOf(error) };
    });
    if (ended.said !== null) return ok(answer.parse(JSON.parse(ended.said)));
    log({ level: 'error', message: 'a command of the service failed', detail: ended.why });
    return toResult(ended);
  };
  const list: OwnCopies['list'] = async () =>
    run(['copies'], listed, ({ why }) => fail({ kind: 'bug', detail: why }));

  return {
    list,
    restore: async (name) => {
      const there = await list();
      if (!there.ok) return there;
      if (!there.value.copies.some((copy) => copy.name === name))
        return fault('copy_unknown', `there is no copy ${name}`);
      const done = await session.withoutService(() =>
        run(['copies', 'restore', name], restored, failed),
      );
      if (done === null) return elsewhere();
      if (!done.ok) return done;
      const running = (await service()?.embedded.running())?.ok === true;
      return ok({ replaced: done.value.replaced, running });
    },
  };
};
