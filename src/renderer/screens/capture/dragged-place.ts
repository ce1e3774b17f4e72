/** A place in a list that is taken by its picture and dropped on another of the same list. Buttons do the same. */
import type { Attachment } from 'svelte/attachments';

/** Of no other program: dropped elsewhere it is nothing, and a file that is dropped here is not it. */
const TYPE = 'application/x-spotter-photo';

/** @param dropped what was dropped on this place */
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
