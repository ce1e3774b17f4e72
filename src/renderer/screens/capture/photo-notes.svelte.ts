/** What the form says of its photos: captions and their order, kept with everything else that is typed. */
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
} from '../../data/photo-notes.ts';
import { words } from '../../words/words.ts';
import type { CaptureForm } from './form.svelte.ts';
import { customKey } from './roles.ts';

export class PhotoNotes {
  readonly #form: () => CaptureForm;
  readonly #photos: () => readonly NamedPhoto[];
  readonly #field = $derived.by(() => this.#form().roles.captions);
  readonly #text = $derived.by(() => {
    const value = this.#field && this.#form().answers.custom[customKey(this.#field)];
    return typeof value === 'string' ? value : '';
  });
  /** In the order they are shown. */
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

  /** This server has a place for it. */
  get possible(): boolean {
    return this.#field !== undefined;
  }

  tell(id: string, caption: string): void {
    this.#say(withNote(this.said, id, { caption }));
  }

  /** Before, after, or neither. */
  side(id: string, side: Side | null): void {
    this.#say(withNote(this.said, id, { side }));
  }

  /** @param to its new place, from 0 */
  move(id: string, to: number): void {
    this.#say(movedTo(this.said, id, to));
  }

  /** To the place of another. */
  moveOnto(id: string, other: string): void {
    this.move(
      id,
      this.said.findIndex((one) => one.id === other),
    );
  }

  /** Nothing is said any more of a photo that is taken off. */
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
