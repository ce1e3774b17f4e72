/**
 * Pure. Computes the status line at the top right. Urgent states come first: sign-in, keychain, connection, items that need the
 * user, then good news.
 */
import type { SessionView } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import { type Reach, troubleOf } from '../outbox/queue/reach.ts';
import { words } from '../words/words.ts';

export interface Known {
  readonly session: SessionView['state'];
  /** True for a local company, where nothing is sent. */
  readonly local: boolean;
  /** The last result of a connection check. Null before the first check. */
  readonly reach: Reach | null;
  /** Records that are pending, being sent, or need the user. */
  readonly waiting: number;
  /** Items that need the user. */
  readonly parked: number;
  /** How many of the waiting records are being sent right now. */
  readonly sending: number;
  /** Pending records of other accounts on this laptop, by account name. */
  readonly elsewhere: readonly { readonly name: string; readonly waiting: number }[];
  /** Why the whole queue is paused. Null if it is not. */
  readonly hold: Problem | null;
  /** The last problem of a pending item. Null if there is none. */
  readonly trouble: Problem | null;
}

export interface StatusLine {
  readonly tone: 'ok' | 'wait' | 'bad' | 'info';
  readonly text: string;
  /** The text without the part that is shown only if there is room. */
  readonly middle?: string;
  readonly short: string;
}

/** Adds that pending items are safe, if there is room. */
const safe = (said: string, waiting: number): Pick<StatusLine, 'text' | 'middle'> =>
  waiting === 0 ? { text: said } : { text: `${said}${words.pill.safe}`, middle: said };

/** Why nothing can be sent: no connection, the server, or a captive portal. Null if something is sent or nothing is pending. */
const troubled = ({ reach, hold, trouble, sending }: Known): Exclude<Reach, 'answers'> | null => {
  if (reach === 'server' || reach === 'portal') return reach;
  if (hold !== null && troubleOf(hold) !== null)
    return reach === 'offline' ? 'offline' : troubleOf(hold);
  if (reach === 'offline') return 'offline';
  return reach === 'answers' && hold === null && sending === 0 && trouble !== null
    ? troubleOf(trouble)
    : null;
};

/** Pending records of other accounts. Null if there are none. */
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
  const others = waiting === 0 ? elsewhereOf(known) : null;
  if (known.local && parked === 0 && known.hold?.kind !== 'no_space')
    return others
      ? { tone: 'wait', text: t.local_but(others.text), short: others.short }
      : { tone: 'ok', text: t.local, short: t.short_local };
  const why = troubled(known);
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
