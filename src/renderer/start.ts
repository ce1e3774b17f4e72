/**
 * Asks the host for the language, then loads and mounts the app. Nothing that speaks is loaded before its language is
 * chosen; a host that does not answer leaves the computer's own.
 */
import { mount } from 'svelte';
import { host } from './host/client.ts';
import { watchTroubles } from './state/troubles.ts';
import { languageOf, speak } from './words/words.ts';

watchTroubles();

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');

/** How long the language is waited for, milliseconds: a hung host is told of by the window, which has to be drawn for it. */
const PATIENCE = 3_000;
const settings = await Promise.race([
  host.call('settings.get', {}),
  new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null)),
]);
const language = languageOf(settings?.ok ? settings.value.language : 'system');
await speak(language);
document.documentElement.lang = language;

// A window that is loaded anew shows no code any more.
void host.call('phone.close', {});

const { default: App } = await import('./App.svelte');
mount(App, { target });
