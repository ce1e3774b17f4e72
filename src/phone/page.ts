/** Draws the phone's page: one button and one list. sender.ts does the sending. */
import { PHONE_FILES_MAX, secretIn } from '../contract/phone/phone-seal.ts';
import { post, random, wait } from './post.ts';
import { createSender } from './sender.ts';
import type { Sent, SenderView } from './sender-types.ts';
import { wordsFor } from './words.ts';

/**
 * sessionStorage keys of the code and of this phone's random bytes. An iPhone may reload the page while its user picks photos.
 */
const CODE = 'spotter-code';
const DRAWN = 'spotter-drawn';

const { lang, words } = wordsFor(navigator.languages);
document.documentElement.lang = lang;

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const say = byId<HTMLParagraphElement>('say');
const hint = byId<HTMLParagraphElement>('hint');
const choose = byId<HTMLButtonElement>('choose');
const files = byId<HTMLInputElement>('files');
const list = byId<HTMLUListElement>('list');
byId('title').textContent = words.title;

const megabytes = (bytes: number): string =>
  `${new Intl.NumberFormat(lang, { maximumFractionDigits: 1 }).format(bytes / 1e6)} MB`;

const tell = (element: HTMLElement, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

const stateOf = ({ state, received, size, why }: Sent): string => {
  if (state === 'refused') return words.refused[why ?? 'other'];
  return state === 'sending'
    ? words.states.sending(megabytes(received), megabytes(size))
    : words.states[state];
};

interface Row {
  readonly item: HTMLLIElement;
  readonly bar: HTMLProgressElement;
  readonly said: HTMLSpanElement;
}
const rows: Row[] = [];
const rowOf = (at: number, { name, size }: Sent): Row => {
  const had = rows[at];
  if (had !== undefined) return had;
  const item = document.createElement('li');
  const title = document.createElement('b');
  title.textContent = name;
  const bar = document.createElement('progress');
  bar.max = Math.max(1, size);
  bar.setAttribute('aria-label', name);
  const said = document.createElement('span');
  item.append(title, bar, said);
  list.append(item);
  return (rows[at] = { item, bar, said });
};

const headline = ({ link, files: all }: SenderView): readonly [text: string, tone: string] => {
  if (link === 'taken') return [words.taken, 'bad'];
  if (link === 'unreadable') return [words.old_code, 'bad'];
  if (link === 'lost') return [words.lost, 'bad'];
  if (link === 'joining') return [words.joining, ''];
  if (all.length === 0) return ['', ''];
  const there = all.filter(({ state }) => state === 'on_laptop').length;
  const moving = all.some(({ state }) => ['waiting', 'sending', 'checking'].includes(state));
  if (moving) return [words.sending(there, all.length), ''];
  return [words.on_laptop(there, all.length), there === all.length ? 'ok' : 'bad'];
};

let moving = false;
const draw = (view: SenderView): void => {
  const [text, tone] = headline(view);
  tell(say, text);
  say.className = tone;
  const open = view.link === 'ready' || view.link === 'lost';
  choose.hidden = !open;
  tell(choose, view.files.length === 0 ? words.choose : words.more);
  choose.className = view.files.length === 0 ? '' : 'more';
  for (const [at, sent] of view.files.entries()) {
    const { item, bar, said } = rowOf(at, sent);
    bar.value = sent.received;
    bar.hidden = sent.state !== 'sending' && sent.state !== 'checking';
    item.className =
      sent.state === 'on_laptop'
        ? 'ok'
        : ['refused', 'asks', 'unread'].includes(sent.state)
          ? 'bad'
          : '';
    tell(said, stateOf(sent));
  }
  moving =
    open && view.files.some(({ state }) => ['waiting', 'sending', 'checking'].includes(state));
  const more = view.left_out > 0 ? words.left_out(view.left_out, PHONE_FILES_MAX) : '';
  const todo = moving ? words.keep_open : more;
  tell(hint, view.link === 'lost' ? words.lost_todo : todo);
  hint.hidden = hint.textContent === '';
};

const begin = (secret: Uint8Array): void => {
  const sender = createSender({
    secret,
    post,
    random,
    wait,
    changed: draw,
    memory: {
      get: () => sessionStorage.getItem(DRAWN),
      set: (drawn) => sessionStorage.setItem(DRAWN, drawn),
    },
  });
  draw(sender.view());
  void sender.begin();
  choose.addEventListener('click', () => files.click());
  files.addEventListener('change', () => {
    const chosen = [...(files.files ?? [])];
    files.value = '';
    if (chosen.length > 0) void sender.add(chosen);
  });
  addEventListener('beforeunload', (event) => {
    if (moving) event.preventDefault();
  });
};

// A second code scanned into the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
if (location.hash !== '') {
  sessionStorage.setItem(CODE, location.hash);
  sessionStorage.removeItem(DRAWN);
  history.replaceState(null, '', '/');
}
const secret = secretIn(sessionStorage.getItem(CODE) ?? '');
if (secret === null) tell(say, words.no_code);
else begin(secret);
