/** Captions and order of the form's photos, stored with the other answers. */
import {
  movedTo,
  noNote,
  readNotes,
  textWithout,
  withNote,
  writeNotes,
  type NamedPhoto,
  type Said,
  type Side,
} from '../../../data/model/photo-notes.ts';
import { words } from '../../../words/company-words.ts';
import type { CaptureForm } from '../form.svelte.ts';
import { customKey } from '../../../../contract/text/field-by-label.ts';

export class PhotoNotes {
  readonly #form: () => CaptureForm;
  readonly #photos: () => readonly NamedPhoto[];
  readonly #field = $derived.by(() => this.#form().roles.captions);
  readonly #text = $derived.by(() => {
    const value = this.#field && this.#form().answers.custom[customKey(this.#field)];
    return typeof value === 'string' ? value : '';
  });
  /** In display order. */
  readonly said = $derived.by<Said>(() =>
    this.#field
      ? readNotes(this.#text, this.#photos())
      : this.#photos().map(({ id }) => ({ id, note: noNote })),
  );

  /** @param photos in the order they were added */
  constructor(form: () => CaptureForm, photos: () => readonly NamedPhoto[]) {
    this.#form = form;
    this.#photos = photos;
  }

  /** True if the server has a field for captions. */
  get possible(): boolean {
    return this.#field !== undefined;
  }

  tell(id: string, caption: string): void {
    this.#say(withNote(this.said, id, { caption }));
  }

  side(id: string, side: Side | null): void {
    this.#say(withNote(this.said, id, { side }));
  }

  /** @param to the new index, from 0 */
  move(id: string, to: number): void {
    this.#say(movedTo(this.said, id, to));
  }

  moveOnto(id: string, other: string): void {
    this.move(
      id,
      this.said.findIndex((one) => one.id === other),
    );
  }

  /** Removes the notes of a photo that is taken off. */
  leave(id: string): void {
    this.#write(textWithout(this.#text, this.#photos(), id, words.photo_notes.written));
  }

  #say(said: Said): void {
    if (said === this.said) return;
    this.#write(writeNotes(this.#text, this.#photos(), said, words.photo_notes.written));
  }

  #write(text: string): void {
    if (this.#field && text !== this.#text) this.#form().setCustom(this.#field, text);
  }
}
