/**
 * Opens external links in the system's browser, in both shells. The window's browser holds the credentials of the host and must
 * not visit other sites. One listener on the document covers every link and mouse button. Internal links are left to the
 * router.
 */
import { linkSchema } from '../../contract/text/rich-text.ts';
import type { Host } from '../host/client.ts';
import { words } from '../words/words.ts';
import { toasts } from './toasts.svelte.ts';

/** The clicked link. In the editor, a plain click only places the cursor. */
const linkOf = ({ target, button, ctrlKey, metaKey }: MouseEvent): HTMLAnchorElement | null => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  const plain = button === 0 && !ctrlKey && !metaKey;
  return link?.isContentEditable && plain ? null : link;
};

/** Internal links and downloads of generated files stay in this window. */
const staysHere = ({ origin, protocol }: HTMLAnchorElement): boolean =>
  origin === location.origin || protocol === 'blob:';

/** Handles `click` and `auxclick` of the document. Only the host opens external links. */
export const openOutside =
  (host: Pick<Host, 'call'>) =>
  (event: MouseEvent): void => {
    const link = event.button === 2 ? null : linkOf(event);
    if (link === null || staysHere(link)) return;
    event.preventDefault();
    const href = linkSchema.safeParse(link.getAttribute('href')).data;
    if (href === undefined) return toasts.show('bad', words.app.link_refused);
    void host.call('links.open', { href }).then((answer) => {
      if (!answer.ok || !answer.value.opened) toasts.show('bad', words.app.link_not_opened);
    });
  };
