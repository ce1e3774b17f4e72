/** Attachment for reordering a list: dragging an item's picture onto another item. Buttons offer the same. */
import type { Attachment } from 'svelte/attachments';

/** A private type, so that other programs ignore the drag and dropped files are not mistaken for it. */
const TYPE = 'application/x-spotter-photo';

/** @param dropped receives the id of the item dropped here */
export const draggedPlace =
  (id: string, dropped: (from: string) => void): Attachment<HTMLElement> =>
  (place) => {
    const picture = place.querySelector<HTMLElement>('.picture');
    if (picture === null) return undefined;
    picture.draggable = true;
    const listening = new AbortController();
    const { signal } = listening;
    const ours = (event: DragEvent): boolean => event.dataTransfer?.types.includes(TYPE) ?? false;
    const over = (is: boolean) => place.toggleAttribute('data-over', is);
    picture.addEventListener(
      'dragstart',
      (event) => {
        event.dataTransfer?.setData(TYPE, id);
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
      },
      { signal },
    );
    place.addEventListener(
      'dragover',
      (event) => {
        if (!ours(event)) return;
        event.preventDefault();
        over(true);
      },
      { signal },
    );
    place.addEventListener('dragleave', () => over(false), { signal });
    place.addEventListener(
      'drop',
      (event) => {
        over(false);
        if (!ours(event)) return;
        event.preventDefault();
        event.stopPropagation();
        dropped(event.dataTransfer?.getData(TYPE) ?? '');
      },
      { signal },
    );
    return () => listening.abort();
  };
