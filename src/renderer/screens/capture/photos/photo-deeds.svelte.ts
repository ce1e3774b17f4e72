/** The menu items of one photo in the form. */
import Download from '@lucide/svelte/icons/download';
import ImageDown from '@lucide/svelte/icons/image-down';
import ImageUp from '@lucide/svelte/icons/image-up';
import MapPin from '@lucide/svelte/icons/map-pin';
import Pencil from '@lucide/svelte/icons/pencil';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Trash from '@lucide/svelte/icons/trash-2';
import type { PhotoRow } from '../../../data/db/db.ts';
import { originalBlob } from '../../../data/photos/photos.ts';
import type { MenuItem } from '../../../parts/menu/menu-item.ts';
import { saveBlob } from '../../../parts/save.ts';
import { hasMarks, readEdits } from '../../../photos/markup/model.ts';
import { drawable } from '../../../photos/markup/render.ts';
import { shrinkable } from '../../../photos/rendition.ts';
import { app } from '../../../state/app.svelte.ts';
import { toasts } from '../../../state/toasts.svelte.ts';
import { problemLine } from '../../../words/problems.ts';
import { words } from '../../../words/company-words.ts';
import { sideOf } from '../../photos/intake.svelte.ts';
import type { CaptureForm } from '../form.svelte.ts';

interface PhotoDeedsParts {
  readonly form: () => CaptureForm;
  readonly photo: () => PhotoRow;
  /** True while a preview is made. */
  readonly looking: () => boolean;
  /** True while a smaller version to be sent is made. */
  readonly shrinking: () => boolean;
  readonly mark: (photo: PhotoRow) => void;
  readonly leaving: () => void;
}

export class PhotoDeeds {
  /** For screen readers, after a rotation. */
  said = $state('');
  readonly #parts: PhotoDeedsParts;
  #making = $state(false);
  /** Presses during the current rotation, applied together after it. */
  #presses = 0;

  constructor(parts: PhotoDeedsParts) {
    this.#parts = parts;
  }

  /** True while a resized or rotated version of the photo is written. */
  get making(): boolean {
    return this.#making;
  }

  /** The size of the rendition, and how it differs from the file. */
  get facts(): string {
    const { size, original, edits } = this.#parts.photo();
    const { bytes } = words.format;
    if (edits)
      return `${hasMarks(edits) ? words.markup.marked : words.markup.turned} · ${bytes(size)}`;
    return original ? words.capture.size.smaller(original.size, size) : bytes(size);
  }

  /** @param more items for order, before and after */
  items(more: readonly MenuItem[]): readonly MenuItem[] {
    const t = words.capture;
    const remove = { label: t.photo.remove, icon: Trash, danger: true, apart: true };
    return [
      ...this.#drawing(),
      ...more,
      ...this.#sending(),
      { label: t.photo.save, icon: Download, run: () => void this.#save() },
      { ...remove, run: () => void this.#remove() },
    ];
  }

  #drawing(): MenuItem[] {
    const photo = this.#parts.photo();
    const seen = photo.thumbnail !== null;
    if (!drawable.has(photo.content_type) || !(seen || this.#parts.looking())) return [];
    const mark = {
      label: words.markup.open,
      icon: Pencil,
      disabled: !seen || this.#making || this.#parts.shrinking(),
      run: () => this.#parts.mark(photo),
    };
    const turn = {
      label: words.markup.turn,
      icon: RotateCw,
      stays: true,
      disabled: !seen,
      run: () => void this.#turn(),
    };
    // Marks of a newer version are unreadable here; rotating would lose them.
    const turnable = photo.edits === undefined || readEdits(photo.edits) !== null;
    return turnable ? [mark, turn] : [mark];
  }

  #sending(): MenuItem[] {
    const t = words.capture;
    const photo = this.#parts.photo();
    const side = sideOf(app.session.settings.photo_size);
    const place = photo.gps && t.offer.place(photo.gps, photo.direction ?? null);
    const items: MenuItem[] = [];
    // The original of a marked photo is never sent: it may show what was blurred.
    if (photo.edits === undefined && !this.#making && !this.#parts.shrinking()) {
      if (photo.original)
        items.push({
          label: t.size.send_original,
          icon: ImageUp,
          run: () => void this.#resize(null),
        });
      else if (side !== null && shrinkable.has(photo.content_type))
        items.push({
          label: t.size.send_smaller,
          icon: ImageDown,
          run: () => void this.#resize(side),
        });
    }
    // Coordinates tell nobody on site where it was, so they stay beside the photo.
    if (typeof place === 'string')
      items.push({
        label: t.photo.copy_place,
        about: place,
        icon: MapPin,
        run: () => void this.#copyPlace(place),
      });
    return items;
  }

  async #resize(max_side: number | null): Promise<void> {
    const { form, photo } = this.#parts;
    this.#making = true;
    const made = await form().resize(photo(), max_side);
    this.#making = false;
    if (!made.ok) toasts.show('bad', problemLine(made.problem));
    else if (max_side !== null && made.value.original === undefined)
      toasts.show('info', words.capture.size.no_smaller(photo().filename));
  }

  async #turn(): Promise<void> {
    this.#presses += 1;
    if (this.#making || this.#parts.shrinking()) return;
    this.#making = true;
    let row = this.#parts.photo();
    for (let wanted = this.#presses; wanted > 0; wanted = this.#presses) {
      this.#presses = 0;
      const made = await this.#parts.form().turn(row, wanted);
      if (made.ok) {
        row = made.value;
        this.said = words.markup.was_turned(row.filename);
      } else {
        this.#presses = 0;
        toasts.show('bad', problemLine(made.problem));
      }
    }
    this.#making = false;
  }

  /** Saves the rendition and never the original, so that a blurred face stays blurred. */
  async #save(): Promise<void> {
    const photo = this.#parts.photo();
    const file = await originalBlob(app.deps, photo);
    if (file.ok) saveBlob(file.value, photo.filename);
    else toasts.show('bad', problemLine(file.problem));
  }

  async #copyPlace(place: string): Promise<void> {
    const t = words.capture.offer;
    try {
      await navigator.clipboard.writeText(place);
      toasts.show('info', t.place_copied);
    } catch {
      toasts.show('bad', t.place_not_copied);
    }
  }

  async #remove(): Promise<void> {
    const { form, photo, leaving } = this.#parts;
    leaving();
    await form().remove(photo());
    toasts.show('info', words.capture.removed);
  }
}
