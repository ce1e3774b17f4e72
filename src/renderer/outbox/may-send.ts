/**
 * May anything be sent now (outbox promise 3, outbox promise 4)? Asks the session, and after a hold the server by one small question: only an
 * answer goes on. It ends a hold of the network; where writes failed it lets one entry out to try (queue-hold.ts). The journal is
 * told what it missed before the queue moves again. While a person must come, it still asks the session now and then, in
 * case the word of a change was missed or came too early.
 */
import type { SessionView } from '../../contract/host.ts';
import type { Problem, Result } from '../../contract/problem.ts';
import type { Deps } from '../data/db.ts';
import type { Hold } from './queue-hold.ts';
import { repairJournal } from './rebuild.ts';
import { type HoldOf, judge } from './judge-problem.ts';

export interface MaySend {
  /** Null: go. Else how long until it is worth asking again, milliseconds. */
  wait(): Promise<number | null>;
  /** The account that is signed in. */
  account(): string | null;
  /** The session changed: it is asked again before anything is sent. */
  heard(session: SessionView): void;
  /** Does the server answer? Asked once for all who ask meanwhile. */
  probe(): Promise<Result<unknown>>;
}

/** How long an answer about the session is believed, milliseconds; its change is heard at once. */
const ASK_SESSION = 5_000;
/** How often it is asked while the queue waits for a person, milliseconds. */
const ASK_AGAIN = 15_000;

/** What the session itself says about sending, before anything is tried. */
const sessionProblem = (session: SessionView): Problem | null => {
  if (session.state === 'ready' && session.account !== null) return null;
  if (session.state === 'locked')
    return { kind: 'vault', state: session.vault.state === 'hung' ? 'hung' : 'locked' };
  if (session.state === 'none') return { kind: 'not_connected' };
  return { kind: 'signed_out', detail: '' };
};

/** @param holdQueue holds the queue and gives back what was claimed */
export const createMaySend = (
  deps: Pick<Deps, 'db' | 'host' | 'clock'>,
  first: SessionView,
  hold: Hold,
  holdQueue: (problem: Problem, until: 'later' | 'user', of: HoldOf) => Promise<void>,
): MaySend => {
  const { host, clock } = deps;
  let session = first;
  /** When the session was last asked for, monotonic; null: ask before the next look. */
  let askedAt: number | null = null;

  let probing: Promise<Result<unknown>> | null = null;
  const probe = (): Promise<Result<unknown>> => {
    probing ??= host.call('reach.check', {}).finally(() => {
      probing = null;
    });
    return probing;
  };

  /**
   * While the queue waits for a person: is somebody signed in by now? What was heard last says nothing: the answer that ended it may be
   * of before the last sign-in, and have come after the word of it.
   */
  const someoneSignedIn = async (): Promise<boolean> => {
    const asked = await host.call('session.get', {});
    if (asked.ok) session = asked.value;
    return asked.ok && asked.value.state === 'ready';
  };

  const held = async (problem: Problem, until: 'later' | 'user'): Promise<number> => {
    await holdQueue(problem, until, 'reach');
    return Math.min(hold.remaining(), ASK_AGAIN);
  };

  const wait = async (): Promise<number | null> => {
    if (hold.trying()) return null;
    const remaining = hold.remaining();
    if (remaining === Infinity && !(await someoneSignedIn())) return ASK_AGAIN;
    if (remaining > 0 && remaining !== Infinity) return remaining;
    if (askedAt === null || clock.monotonic() - askedAt > ASK_SESSION || hold.problem() !== null) {
      const asked = await host.call('session.get', {});
      if (asked.ok) session = asked.value;
      const problem = asked.ok ? sessionProblem(asked.value) : asked.problem;
      if (problem !== null) return held(problem, asked.ok ? 'user' : 'later');
      askedAt = clock.monotonic();
    }
    if (hold.problem() === null) return null;
    const probed = await probe();
    if (!probed.ok) {
      const judgement = judge(probed.problem);
      return held(probed.problem, judgement.what === 'hold' ? judgement.until : 'later');
    }
    const repaired = await repairJournal(deps);
    if (!repaired.ok) return held(repaired.problem, 'later');
    if (hold.of() === 'write') hold.try();
    else await hold.lift();
    return null;
  };

  return {
    wait,
    account: () => session.account,
    heard(changed) {
      askedAt = null;
      session = changed;
    },
    probe,
  };
};
