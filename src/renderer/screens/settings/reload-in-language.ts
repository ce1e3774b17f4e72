/** Reloads the window in a language that the settings now have. */
import { navigate } from '../../router.ts';
import { toasts } from '../../state/toasts.svelte.ts';
import { words } from '../../words/company-words.ts';

/** @param here false if the user has left the section: a reload would interrupt them, so a toast offers it instead */
export async function reloadInLanguage(section: string, here: boolean): Promise<void> {
  if (!here) {
    const { language_saved, language_now } = words.settings;
    toasts.show('info', language_saved, { label: language_now, run: () => location.reload() });
    return;
  }
  // After the reload the address leads back to this section.
  await navigate('/settings/:section', { params: { section }, replace: true });
  location.reload();
}
