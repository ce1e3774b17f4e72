/**
 * The page that admits a window. A printed address carries its one-time code in the fragment, which a browser never sends and
 * no log keeps. The page's script exchanges the code for the cookie and the page's key, and stores the key in the tab's
 * sessionStorage (README.md). In the shell's own browser (`?own`) a cookie, set over the pipe, carries the code, and the page
 * retries until it arrives. Any other window without a code sees a message at once. The language is the setting, otherwise the
 * browser user's first supported one.
 */
import { ENTERED } from '../contract/carrier.ts';
import type { Settings } from '../contract/settings.ts';
import { entryWords } from './entry-words.ts';

export const entryPage = (language: Settings['language']): string => `<!doctype html>
<html lang="${language === 'system' ? 'en' : language}" data-language="${language}"><head><meta charset="utf-8">
<title>Spotter</title><link rel="icon" href="/icon.svg"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><script src="/enter.js" defer></script></head>
<body><p id="say" role="status"></p></body></html>
`;

export const entryScript = `'use strict';
const code = location.hash.slice(1);
const own = location.search === '?own';
history.replaceState(null, '', '/enter');
const words = ${JSON.stringify(entryWords)};
const known = (tag) => Object.hasOwn(words, tag);
const chosen = document.documentElement.dataset.language;
const language = known(chosen)
  ? chosen
  : navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(known) || 'en';
document.documentElement.lang = language;
const say = (text) => { document.getElementById('say').textContent = text; };
say(words[language].opening);
const goIn = () => location.replace('/');
const ask = () => fetch('/enter', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }),
});
const goOn = async (tries) => {
  const answer = await ask().catch(() => undefined);
  if (answer !== undefined && answer.ok) {
    sessionStorage.setItem('${ENTERED}', JSON.stringify(await answer.json()));
    goIn();
    return;
  }
  if (own && tries > 0) { setTimeout(goOn, 100, tries - 1); return; }
  say(code === '' && !own ? words[language].elsewhere : words[language].spent);
};
// A new address put into the same tab changes only what is behind the '#'.
addEventListener('hashchange', () => location.reload());
if (code === '' && sessionStorage.getItem('${ENTERED}') !== null) goIn();
else goOn(100);
`;
