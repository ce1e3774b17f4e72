/** Draws the report page: a report with photos, its code, and the answer for a code. send-report.ts does the sending. */
import { type Language, languageNames, languages } from '../../contract/languages.ts';
import { BOX_NAME_MAX, BOX_PHOTOS_MAX, BOX_TEXT_MAX } from '../../contract/phone/box-limits.ts';
import { bytesToHex, secretIn } from '../../contract/phone/phone-seal.ts';
import { readAnswerCode, spacedCode } from '../../contract/text/answer-code.ts';
import { type Chosen, createChosen } from '../chosen-file.ts';
import { post, random, wait } from '../post.ts';
import { wordsFor } from '../words.ts';
import { type Outcome, resumeReport, type SendParts, sendReport } from './send-report.ts';
import { createTalk, OldPoster, type Say } from './talk.ts';
import { reportWords } from './words.ts';

/** sessionStorage key of the poster's key: a phone may reload the page while its user picks photos. */
const POSTER = 'spotter-poster';
/** sessionStorage keys of what was typed, for the same reason. */
const TYPED = { what: 'spotter-what', name: 'spotter-name' } as const;
/** sessionStorage key of the report that is being sent. */
const SENDING = 'spotter-sending';

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const what = byId<HTMLTextAreaElement>('what');
const name = byId<HTMLInputElement>('name');
const files = byId<HTMLInputElement>('files');
const list = byId<HTMLUListElement>('list');
const send = byId<HTMLButtonElement>('send');
const sent = byId<HTMLProgressElement>('sent');
const asked = byId<HTMLInputElement>('asked');
const answer = byId('answer');
const say = byId('say');

type Tab = 'report' | 'answer';
/** A sentence in the current language, so that choosing another one translates what is shown. */
type Sentence = () => string;

let language: Language = wordsFor(navigator.languages).lang;
let tab: Tab = 'report';
let photos: readonly Chosen[] = [];
let code: string | null = null;
let busy = false;
let said: { readonly text: Sentence; readonly tone: '' | 'ok' | 'bad' } | null = null;
let found: Sentence | null = null;
const t = () => reportWords[language];

const put = (id: string, text: string): void => {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
};
const tell = (text: Sentence | null, tone: '' | 'ok' | 'bad' = ''): void => {
  said = text === null ? null : { text, tone };
  draw();
  // The button may be at the lower edge of the screen, and the sentence below it.
  if (text !== null) say.scrollIntoView({ block: 'nearest' });
};

const pressed = (label: string, on: boolean, press: () => void, lang?: string): HTMLElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.setAttribute('aria-pressed', String(on));
  if (lang !== undefined) button.lang = lang;
  button.addEventListener('click', press);
  return button;
};
/** Redraws buttons and keeps the focus on the one that was pressed. */
const buttons = (id: string, label: string, all: readonly HTMLElement[]): void => {
  const group = byId(id);
  const at = [...group.children].indexOf(document.activeElement ?? group);
  group.setAttribute('aria-label', label);
  group.replaceChildren(...all);
  if (at >= 0) all[at]?.focus();
};

const drawPhotos = (): void => {
  list.replaceChildren(
    ...photos.map((photo, at) => {
      const item = document.createElement('li');
      const title = document.createElement('b');
      title.textContent = `${at + 1}. ${photo.name}`;
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.textContent = t().remove_short;
      remove.setAttribute('aria-label', t().remove(photo.name));
      remove.disabled = busy;
      remove.addEventListener('click', () => {
        photos = photos.filter((one) => one !== photo);
        tell(null);
        byId('choose').focus();
      });
      item.append(title, remove);
      return item;
    }),
  );
};

const draw = (): void => {
  const words = t();
  document.documentElement.lang = language;
  document.title = words.title;
  put('title', words.title);
  buttons(
    'languages',
    words.languages,
    languages.map((one) => pressed(languageNames[one], one === language, () => choose(one), one)),
  );
  buttons(
    'tabs',
    words.parts,
    (['report', 'answer'] as const).map((one) =>
      pressed(words.tabs[one], one === tab, () => turn(one)),
    ),
  );
  byId('report').hidden = tab !== 'report' || code !== null;
  byId('done').hidden = tab !== 'report' || code === null;
  byId('ask').hidden = tab !== 'answer';
  for (const [id, text] of Object.entries({
    about: words.about,
    'what-label': words.what,
    'name-label': words.name,
    choose: words.add,
    send: busy ? words.sending : words.send,
    'code-label': words.code,
    'code-about': words.code_about,
    another: words.another,
    'ask-label': words.ask,
    show: words.show,
  }))
    put(id, text);
  put('code', spacedCode(code ?? ''));
  // A screen reader says the letters one by one.
  byId('code').setAttribute('aria-label', [...(code ?? '')].join(' '));
  for (const field of [what, name, send, byId<HTMLButtonElement>('choose')]) field.disabled = busy;
  drawPhotos();
  put('say', said?.text() ?? '');
  say.className = said?.tone ?? '';
  put('answer', found?.() ?? '');
  answer.hidden = found === null;
};

const choose = (next: Language): void => {
  language = next;
  draw();
};
const turn = (next: Tab): void => {
  tab = next;
  found = null;
  if (!busy) said = null;
  draw();
};

const outcome = (result: Outcome | null): void => {
  busy = false;
  sent.hidden = true;
  sessionStorage.removeItem(SENDING);
  if (result === null) return tell(() => t().unsent, 'bad');
  if (result.kind === 'old') return tell(() => t().old, 'bad');
  if (result.kind === 'refused') {
    const { why, photo } = result;
    return tell(() => t().refused[why](photo === null ? null : photo + 1), 'bad');
  }
  ({ code } = result);
  photos = [];
  for (const field of [what, name]) field.value = '';
  for (const key of Object.values(TYPED)) sessionStorage.removeItem(key);
  tell(() => t().sent, 'ok');
};

/** Locks the form until the report has an outcome. */
const track = (id: string, run: (parts: SendParts) => Promise<Outcome | null>, say: Say): void => {
  busy = true;
  sessionStorage.setItem(SENDING, id);
  sent.hidden = false;
  sent.removeAttribute('value');
  tell(() => t().keep_open);
  void run({
    say,
    wait,
    progress: ({ sent: bytes, size, lost }) => {
      if (size > 0) sent.value = bytes / size;
      tell(() => (lost ? t().lost : t().keep_open), lost ? 'bad' : '');
    },
  }).then(outcome);
};

const begin = (conversation: Say): void => {
  byId('report').addEventListener('submit', (event) => {
    event.preventDefault();
    if (busy) return;
    if (what.value.trim() === '' && photos.length === 0) {
      tell(() => t().refused.empty(null), 'bad');
      what.focus();
      return;
    }
    const id = bytesToHex(random(16));
    const report = { id, text: what.value, name: name.value, language, photos };
    track(id, (parts) => sendReport(report, parts), conversation);
  });

  byId('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = readAnswerCode(asked.value);
    found = null;
    if (typed === null) return tell(() => t().six, 'bad');
    tell(() => t().asking);
    void (async () => {
      try {
        const got = await conversation({ ask: 'look', code: typed });
        if (got.kind !== 'found')
          return tell(() => (got.kind === 'later' ? t().later : t().unknown), 'bad');
        found = () => {
          const words = t();
          const none = got.state === 'filed' ? words.none_yet : '';
          const label = got.state === 'discarded' ? words.reason : words.done;
          const more = got.said === '' ? none : `${label} ${got.said}`;
          return `${words.found(got)}\n${more}`.trim();
        };
        tell(null);
      } catch (error) {
        tell(() => (error instanceof OldPoster ? t().old : t().silent), 'bad');
      }
    })();
  });

  byId('choose').addEventListener('click', () => files.click());
  files.addEventListener('change', () => {
    const chosen = [...(files.files ?? [])];
    files.value = '';
    const room = BOX_PHOTOS_MAX - photos.length;
    photos = [
      ...photos,
      ...chosen.slice(0, room).map((file, at) => createChosen(file, photos.length + at)),
    ];
    tell(chosen.length > room ? () => t().left_out(BOX_PHOTOS_MAX) : null, 'bad');
  });
  byId('another').addEventListener('click', () => {
    code = null;
    tell(null);
    what.focus();
  });
  for (const [field, key] of [[what, TYPED.what] as const, [name, TYPED.name] as const]) {
    field.value = sessionStorage.getItem(key) ?? '';
    field.addEventListener('input', () => sessionStorage.setItem(key, field.value));
  }
  addEventListener('beforeunload', (event) => {
    if (busy) event.preventDefault();
  });
  const reloaded = sessionStorage.getItem(SENDING);
  if (reloaded !== null) track(reloaded, (parts) => resumeReport(reloaded, parts), conversation);
};

what.maxLength = BOX_TEXT_MAX;
name.maxLength = BOX_NAME_MAX;
// Another poster scanned into the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
if (location.hash !== '') {
  sessionStorage.setItem(POSTER, location.hash);
  history.replaceState(null, '', '/');
}
const key = secretIn(sessionStorage.getItem(POSTER) ?? '');
if (key === null) {
  for (const field of [what, name, send, asked]) field.disabled = true;
  busy = true;
  tell(() => t().no_code, 'bad');
} else {
  begin(createTalk({ key, post, random }));
  draw();
}
