/** The diagnostics of this window as text, kept current, for Settings and the help (diagnostics.ts). */
import type { HostOutput } from '../../../contract/host.ts';
import { lastProblems } from '../../outbox/queue/last-problems.ts';
import { app } from '../../state/app.svelte.ts';
import { live } from '../../state/live.svelte.ts';
import { toasts } from '../../state/toasts.svelte.ts';
import { troubles } from '../../state/troubles.ts';
import { spoken } from '../../words/words.ts';
import { words } from '../../words/company-words.ts';
import { diagnosticsOf } from './diagnostics.ts';

/**
 * Must be called during component setup.
 * @param host the host's diagnostics, if they have been loaded
 */
export function diagnosticsHere(host: () => HostOutput<'app.diagnostics'> | null) {
  const { session } = app;
  const problems = live(() => {
    const { deps } = app;
    const account = session.view?.account ?? '';
    return () => lastProblems(deps, account);
  });
  const text = $derived(
    diagnosticsOf({
      info: session.info,
      session: session.view,
      settings: session.settings,
      language: spoken,
      online: app.online,
      counts: app.counts,
      hold: app.hold?.problem ?? null,
      problems: problems.value ?? [],
      repaired: app.opened?.repaired ?? null,
      host: host(),
      troubles: troubles(),
      at: Date.now(),
    }),
  );
  return {
    get text() {
      return text;
    },
    async copy(): Promise<void> {
      try {
        await navigator.clipboard.writeText(text);
        toasts.show('ok', words.settings.copied);
      } catch {
        toasts.show('bad', words.settings.copy_failed);
      }
    },
  };
}
