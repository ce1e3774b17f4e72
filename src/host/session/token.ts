/**
 * The session's token and the keychain. A locked or hung keychain makes the session `locked`: the queue waits and loses nothing
 * (outbox promise 4). Every query waits only a moment; a late answer is applied when it comes.
 */
import { fail, ok, type Result } from '../../contract/problem.ts';
import { codeOf, type Log } from '../lib/log.ts';
import type { Vault, VaultRead } from '../vault/index.ts';
import { withinAMoment } from '../vault/patience.ts';
import { readSecret, writeSecret } from './sign-in/grant.ts';
import { shown, type SessionState } from './session-state.ts';

export const createTokens = (state: SessionState, vault: Vault, log: Log) => {
  /** The pending keychain query. Concurrent callers share its result. */
  let question: { readonly account: string; readonly answer: Promise<VaultRead> } | null = null;
  const askKeychain = (account: string): Promise<VaultRead> => {
    if (question?.account === account) return question.answer;
    const answer = vault.get(account).finally(() => {
      if (question?.answer === answer) question = null;
    });
    question = { account, answer };
    return answer;
  };

  /** Applies a keychain result, however late. Never overwrites a token that was entered meanwhile. */
  const take = async (account: string, read: VaultRead): Promise<void> => {
    if (state.stored.account !== account || state.stored.signed_out || state.token !== null) return;
    // Our index says that a token exists. The keychain cannot return it now, so asking the user to sign in would be wrong.
    state.locked = read.state !== 'ok' && read.state !== 'empty' && (await vault.holds(account));
    const secret = read.state === 'ok' ? readSecret(read.token) : null;
    state.token = secret?.token ?? null;
    state.grant = secret?.grant ?? null;
    state.keychain = shown(vault, read.state === 'empty' ? 'ok' : read.state);
  };

  /**
   * Reads the token, waiting only a moment. Also queries for a signed-out session, because that retries a postponed removal.
   */
  const readToken = async (): Promise<void> => {
    if (state.stored.kind !== 'server' || state.stored.account === null) return;
    const { account } = state.stored;
    const answer = askKeychain(account);
    const read = await withinAMoment(answer);
    if (read !== 'asking') return take(account, read);
    if (!state.stored.signed_out && state.token === null) state.keychain = shown(vault, 'asking');
    hearLate(answer, (late) => take(account, late));
  };

  /** Applies a result that arrived after its caller stopped waiting. */
  const hearLate = <T>(answer: Promise<T>, then: (late: T) => Promise<void> | void): void => {
    const heard = answer.then((late) => state.inTurn(async () => then(late)));
    heard.then(
      () => state.changed(),
      (error: unknown) => log({ level: 'error', message: 'vault', code: codeOf(error) }),
    );
  };

  /** Stores a token (with its grant, `writeSecret`) in the keychain, or in memory for this run if that fails, and records which. */
  const keepToken = async (account: string, given: string): Promise<Result<null>> => {
    const writing = vault.set(account, given);
    const wrote = await withinAMoment(writing);
    if (wrote === 'too_long') return fail({ kind: 'vault', state: 'too_long' });
    state.keychain = shown(vault, wrote);
    if (wrote === 'asking')
      hearLate(writing, (late) => {
        const current = writeSecret(state.token ?? '', state.grant);
        if (state.stored.account === account && current === given && late !== 'too_long')
          state.keychain = shown(vault, late);
      });
    return ok(null);
  };

  /** Removes the tokens of other accounts: of an earlier session, an interrupted connection, or a keychain that was locked. */
  const eraseOthers = async (): Promise<void> => {
    const ours = state.stored.kind === 'server' ? state.stored.account : null;
    const others = (await vault.accounts()).filter((account) => account !== ours);
    // In parallel, so that every removal is requested before a later session stores anything.
    await Promise.all(others.map((account) => vault.remove(account)));
  };

  return { readToken, keepToken, eraseOthers };
};
export type Tokens = ReturnType<typeof createTokens>;
