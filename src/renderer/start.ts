/**
 * Asks the host for the language, then loads and mounts the app. No module with sentences loads before the language is
 * chosen. If the host does not answer, the system's language is used.
 */
import { mount } from 'svelte';
import { host } from './host/client.ts';
import { watchTroubles } from './state/troubles.ts';
import { languageOf, speak } from './words/words.ts';

watchTroubles();

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');

/**
 * How long to wait for the settings, in milliseconds. The app must mount even if the host hangs, because it reports the
 * hang.
 */
const PATIENCE = 3_000;
const settings = await Promise.race([
  host.call('settings.get', {}),
  new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null)),
]);
const language = languageOf(settings?.ok ? settings.value.language : 'system');
await speak(language);
document.documentElement.lang = language;

// After a reload no pairing code is on screen, so the phone link is closed.
void host.call('phone.close', {});

const { default: App } = await import('./App.svelte');
mount(App, { target });
