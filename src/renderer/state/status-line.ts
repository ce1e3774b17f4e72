/**
 * Pure: the one line at the top right, from what is known. The order is by what a person has to know first: sign in,
 * keychain, no connection, something that needs them, and only then good news.
 */
import type { SessionView } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import { type Reach, troubleOf } from '../outbox/reach.ts';
import { words } from '../words/words.ts';

export interface Known {
  readonly session: SessionView['state'];
  /** Does the service answer, and if not, why? Null before the first try. */
  readonly reach: Reach | null;
  /** Records with anything waiting, sending or needing the user. */
  readonly waiting: number;
  /** Items that need the user. */
  readonly parked: number;
  /** Of those, records that are being sent at this moment. */
  readonly sending: number;
  /** What waits for other accounts of this laptop, by what they are called. */
  readonly elsewhere: readonly { readonly name: string; readonly waiting: number }[];
  /** Why the whole queue stands still, if it does. */
  readonly hold: Problem | null;
  /** What something that waits by itself met last, if anything does. */
  readonly trouble: Problem | null;
}

export interface StatusLine {
  readonly tone: 'ok' | 'wait' | 'bad' | 'info';
  readonly text: string;
  /** Without what is said where there is room only. */
  readonly middle?: string;
  readonly short: string;
}

/** What waits is safe: said where there is room for it. */
const safe = (said: string, waiting: number): Pick<StatusLine, 'text' | 'middle'> =>
  waiting === 0 ? { text: said } : { text: `${said}${words.pill.safe}`, middle: said };

/** Why nothing goes: no connection, the server, or the Wi-Fi; null: something goes, or nothing waits. */
const troubled = ({ reach, hold, trouble, sending }: Known): Exclude<Reach, 'answers'> | null => {
  if (reach === 'server' || reach === 'portal') return reach;
  if (hold !== null && troubleOf(hold) !== null)
    return reach === 'offline' ? 'offline' : troubleOf(hold);
  if (reach === 'offline') return 'offline';
  return reach === 'answers' && hold === null && sending === 0 && trouble !== null
    ? troubleOf(trouble)
    : null;
};

/** Of other accounts; null: nothing waits for any. */
const elsewhereOf = ({ elsewhere }: Known): { text: string; short: string } | null => {
  const t = words.pill;
  const [first, ...more] = elsewhere;
  if (first === undefined) return null;
  const all = elsewhere.reduce((sum, { waiting }) => sum + waiting, 0);
  const text =
    more.length === 0 ? t.elsewhere(all, first.name) : t.elsewheres(all, elsewhere.length);
  return { text, short: t.short_waiting(all) };
};

export const statusLineOf = (known: Known): StatusLine => {
  const t = words.pill;
  const { waiting, parked, sending } = known;
  if (known.session === 'signed_out' || known.hold?.kind === 'signed_out')
    return {
      tone: 'bad',
      text: waiting === 0 ? t.sign_in_none : t.sign_in(waiting),
      short: t.short_sign_in(waiting),
    };
  if (known.session === 'locked' || known.hold?.kind === 'vault')
    return { tone: 'bad', ...safe(t.locked(waiting), waiting), short: t.locked(0) };
  const why = troubled(known);
  const others = waiting === 0 ? elsewhereOf(known) : null;
  if (why === 'server')
    return { tone: 'wait', ...safe(t.server(waiting), waiting), short: t.short_server };
  if (why === 'portal')
    return { tone: 'wait', ...safe(t.portal(waiting), waiting), short: t.short_portal };
  if (why === 'offline')
    return {
      tone: 'wait',
      ...(others
        ? { text: t.offline_but(others.text) }
        : safe(waiting === 0 ? t.offline_none : t.offline(waiting), waiting)),
      short: t.short_offline(waiting),
    };
  if (known.hold?.kind === 'busy')
    return { tone: 'wait', ...safe(t.busy(waiting), waiting), short: t.busy(0) };
  if (known.hold?.kind === 'no_space')
    return { tone: 'wait', ...safe(t.disk(waiting), waiting), short: t.disk(0) };
  if (parked > 0)
    return { tone: 'bad', text: t.needs_you(parked, waiting), short: t.short_needs_you(parked) };
  if (known.reach === null)
    return { tone: 'info', text: t.checking(waiting), short: t.short_checking };
  if (others) return { tone: 'wait', text: t.online_but(others.text), short: others.short };
  if (waiting === 0) return { tone: 'ok', text: t.online_all, short: t.short_online };
  if (sending > 0)
    return {
      tone: 'info',
      text: t.online_sending(sending, waiting),
      short: t.short_waiting(waiting),
    };
  return { tone: 'wait', text: t.online_waiting(waiting), short: t.short_waiting(waiting) };
};
