/**
 * Links that lead out of the window leave through the system's own browser, in both shells alike: the window's browser holds what
 * opens the host, and keeps it to itself. One listener for the whole document, so that no link and no button of the mouse
 * is forgotten; what leads into the window is the router's.
 */
import { linkSchema } from '../../contract/rich-text.ts';
import type { Host } from '../host/client.ts';
import { words } from '../words/words.ts';
import { toasts } from './toasts.svelte.ts';

/** The link a click is on; in the editor a plain click only puts the cursor there. */
const linkOf = ({ target, button, ctrlKey, metaKey }: MouseEvent): HTMLAnchorElement | null => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  const plain = button === 0 && !ctrlKey && !metaKey;
  return link?.isContentEditable && plain ? null : link;
};

/** A file that was made here goes to disk. */
const staysHere = ({ origin, protocol }: HTMLAnchorElement): boolean =>
  origin === location.origin || protocol === 'blob:';

/** For `click` and `auxclick` of the document: nothing but the host ever opens what leads out. */
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
