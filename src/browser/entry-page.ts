/**
 * The page that lets a window in. A printed address carries its one-time code behind the `#`, which a browser never
 * sends and no log keeps; the page's script trades it for the cookie. Opened by the shell itself there is no code:
 * the cookie is put into the browser over its own pipe, and the page goes on as soon as it is there.
 */
export const entryPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Spotter</title><link rel="icon" href="/icon.svg">
<meta name="color-scheme" content="light dark"><script src="/enter.js" defer></script></head>
<body><p id="say">Opening Spotter…</p></body></html>
`;

export const entryScript = `'use strict';
const code = location.hash.slice(1);
history.replaceState(null, '', '/enter');
const ask = () => fetch('/enter', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }),
});
const goOn = async (tries) => {
  const answer = await ask().catch(() => undefined);
  if (answer !== undefined && answer.ok) { location.replace('/'); return; }
  if (code === '' && tries > 0) { setTimeout(goOn, 100, tries - 1); return; }
  document.getElementById('say').textContent =
    'This address was used already or is too old. Press Enter where Spotter was started for a new one.';
};
// A new address put into the same tab changes only what is behind the '#'.
addEventListener('hashchange', () => location.reload());
goOn(100);
`;
