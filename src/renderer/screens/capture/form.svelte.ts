/**
 * One run of the capture form: what is typed, the draft it is kept in from the first key, the photos on their way to
 * disk, and saving. The screen only draws it. Editing a saved near miss uses the same form on that record.
 */
import type { Settings } from '../../../contract/settings.ts';
import { ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { Catalog, CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type {
  Deps,
  DraftRow,
  NearMissFields,
  NearMissRow,
  PhotoRow,
  SeenFields,
  TakenAt,
} from '../../data/db.ts';
import {
  discardDraft,
  beginSave,
  draftWriter,
  newDraft,
  newEditDraft,
  photosOfDraft,
  saveDraft,
  throwDraftAway,
  type DraftWriter,
} from '../../data/drafts.ts';
import { changedFields, wireOf } from '../../data/near-miss-rows.ts';
import { addPhotos, editNearMiss, saveNearMiss, seenIn } from '../../data/near-misses.ts';
import type { Side } from '../../data/photo-notes.ts';
import { rootOf } from '../../data/photo-rows.ts';
import { removeDraftPhoto } from '../../data/photos.ts';
import { textOf } from '../../data/text.ts';
import { takeIn, type IntakeOutcome, type IntakeTarget } from '../../photos/intake.ts';
import { noEdits, readEdits, type Edits } from '../../photos/markup/model.ts';
import type { RenderOptions } from '../../photos/markup/render.ts';
import { turned } from '../../photos/markup/turn.ts';
import { makeRendition, markUp, scaleDown, sourceBlob } from '../../photos/rendition.ts';
import type { Scope } from '../../state/app.svelte.ts';
import {
  answersOf,
  chooseLevel,
  chooseRisk,
  emptyAnswers,
  fieldsOf,
  firstWords,
  isEmpty,
  localInput,
  repeatable,
  riskOf,
  takenInput,
  troublesOf,
  type Answers,
  type LookupName,
} from './answers.ts';
import { customKey } from './roles.ts';
import { rolesHere } from './roles-here.ts';
import { Intake, sideOf } from '../intake.svelte.ts';
import type { Risk } from './rating.ts';
import { emptied, fillingOf, type Filling, type Template, type Trade } from './trades.ts';

export type Saved = { readonly ok: true; readonly key: string } | { readonly ok: false };

export interface FormStart {
  readonly scope: Scope;
  /** The incident a new near miss begins with. */
  readonly incident_id: number | null;
  /** Nobody has chosen it on this laptop yet: others stay one press away. */
  readonly incident_guessed?: boolean;
  /** A draft found on this laptop: of a near miss, or of the changes to `row`. */
  readonly draft: DraftRow | null;
  /** How photos are taken in, as set now. */
  readonly photo_settings: () => Pick<Settings, 'photo_privacy' | 'photo_size'>;
  /** The near miss being edited. */
  readonly row: NearMissRow | null;
  readonly definitions: readonly CustomFieldDefinition[];
  /** What photos that are added show, until a person says otherwise. */
  readonly photo_side?: Side | null;
}

/** A record's fields with unfinished changes on top. */
const withChanges = (
  fields: NearMissFields,
  changes: Partial<NearMissFields> = {},
): NearMissFields => ({
  ...fields,
  ...changes,
  custom_fields: { ...fields.custom_fields, ...changes.custom_fields },
});

/** The draft could not be written. */
const UNWRITTEN: Problem = { kind: 'no_space', detail: 'draft' };

export class CaptureForm {
  answers = $state.raw<Answers>(emptyAnswers(null));
  definitions = $state.raw<readonly CustomFieldDefinition[]>([]);
  /** Where photos of this form go until it is saved. */
  draft_id = $state('');
  /** A draft from an earlier time is shown. */
  restored = $state(false);
  /** Where "When" comes from; `typed` is never overwritten. */
  when_from = $state<'clock' | 'photo' | 'typed'>('clock');
  saving = $state(false);
  /** The draft is a report now: what changes here after that is kept nowhere. */
  saved = $state(false);
  /** Save was pressed: from now on what is missing is pointed at. */
  tried = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** Whose template fills the form. */
  trade = $state<Trade | null>(null);
  readonly row: NearMissRow | null;
  /** The incident it began with is a guess. */
  readonly incident_guessed: boolean;
  readonly photo_side: Side | null;
  /** Photos added here of which nobody has said yet what they show. */
  unsided = $state.raw<readonly string[]>([]);
  readonly intake: Intake<PhotoRow>;

  readonly roles = $derived(rolesHere(this.definitions));
  readonly troubles = $derived(troublesOf(this.answers, this.definitions));
  readonly risk = $derived(riskOf(this.answers, this.roles));

  readonly #deps: Deps;
  readonly #scope: Scope;
  readonly #writer: DraftWriter;
  /** What the form of an edit began with, before anything unfinished: what differs from it is the edit. */
  readonly #before: Answers | null;
  /** What was seen by who began the edit that is gone on with. */
  readonly #began: SeenFields;
  readonly #photo_settings: FormStart['photo_settings'];
  #turning: Promise<unknown> = Promise.resolve();
  #draft: DraftRow;
  #photos_added = false;
  /** What the template put in, and what the form said before. */
  #filled: { readonly put: Filling; readonly stood: Answers } | null = null;
  /** What stood in "When" before a photo's time did. */
  #when_before: string | boolean | null = null;
  /** There is a draft on disk, or on its way there: emptied again it must not say what was deleted. */
  #written: boolean;
  /** Put away, to be brought back by "Undo". */
  #thrown = false;

  constructor(deps: Deps, start: FormStart) {
    const { row, draft, scope, incident_id } = start;
    this.#deps = deps;
    this.#scope = scope;
    this.row = row;
    this.photo_side = start.photo_side ?? null;
    this.definitions = start.definitions;
    this.#photo_settings = start.photo_settings;
    this.#writer = draftWriter(deps, {
      // While it is being saved only the save's own end says what became of it.
      failed: () => {
        if (!this.saving) this.problem ??= UNWRITTEN;
      },
      written: () => {
        if (this.problem === UNWRITTEN) this.problem = null;
      },
    });
    this.#draft = draft ?? (row ? newEditDraft(deps, scope, row.key) : newDraft(deps, scope));
    this.draft_id = this.#draft.id;
    this.#began = draft?.seen ?? {};
    this.#before = row ? answersOf(row.fields, start.definitions) : null;
    if (row) this.answers = answersOf(withChanges(row.fields, draft?.fields), start.definitions);
    else if (draft) this.answers = answersOf(draft.fields, start.definitions);
    else this.answers = emptyAnswers(incident_id);
    this.incident_guessed =
      !row && start.incident_guessed === true && this.answers.lookups.incident_id === incident_id;
    this.restored = draft !== null;
    this.#written = draft !== null;
    this.when_from = row || draft ? 'typed' : 'clock';
    this.intake = new Intake({
      privacy: () => start.photo_settings().photo_privacy,
      take: async (files, { onProgress, ...how }) => {
        // Before the first byte: a photo on disk must always belong to something that is found again.
        await saveDraft(deps, this.#current()).catch(() => undefined);
        const max_side = sideOf(start.photo_settings().photo_size);
        const how_large = { ...how, max_side };
        const outcomes = await takeIn(deps, this.#target(), files, onProgress, how_large);
        const came = outcomes.flatMap((one) => (one.ok ? rootOf(one.kept) : []));
        if (this.photo_side !== null) this.unsided = [...this.unsided, ...came];
        return outcomes;
      },
    });
  }

  /** The catalog arrived or changed while the form is open. */
  learn(definitions: readonly CustomFieldDefinition[]): void {
    this.definitions = definitions;
    const when = this.roles.when;
    if (when && this.when_from === 'clock' && !this.answers.custom[customKey(when)])
      this.#put({ custom: { [customKey(when)]: localInput(Date.now()) } });
  }

  setWhat(what: string): void {
    this.#put({ what });
    this.#keep();
  }

  /** The same of a formatted description. */
  setRich(rich: string): void {
    this.#put({ what: textOf(rich), rich });
    this.#keep();
  }

  setLookup(name: LookupName, id: number | null): void {
    this.#put({ lookups: { [name]: id } });
    this.#keep();
  }

  setCustom(definition: CustomFieldDefinition, value: string | boolean | null): void {
    if (definition.id === this.roles.when?.id) this.when_from = 'typed';
    this.#put({ custom: { [customKey(definition)]: value } });
    this.#keep();
  }

  /** How bad it could have been: one of three, or of the catalog's choices the one at that place. */
  setLevel(level: number | null): void {
    this.#put(chooseLevel(this.answers, this.roles, level));
    this.#keep();
  }

  setRisk(risk: Risk | null): void {
    this.#put(chooseRisk(this.answers, this.roles, risk));
    this.#keep();
  }

  /** What is the same as in the last report: never its words, its time or its photos. */
  takeOver(last: Pick<NearMissRow, 'fields'>, catalog: Catalog | null): void {
    const same = repeatable(answersOf(last.fields, this.definitions), this.roles, catalog);
    this.#put(same);
    this.#keep();
  }

  /** What reports of a trade usually say; null, or the one in use, takes it out again. What was typed over it stays. */
  fillIn(template: Template | null, action: string): void {
    if (this.#filled) this.#put(emptied(this.#filled.put, this.#filled.stood, this.answers));
    const next = template?.trade === this.trade ? null : template;
    this.trade = next?.trade ?? null;
    this.#filled = next && {
      put: fillingOf(next, action, this.roles, this.answers),
      stood: this.answers,
    };
    if (this.#filled) this.#put(this.#filled.put);
    this.#keep();
  }

  /** Files from picker, drop, paste, camera or phone, in order, without blocking the form. Answers what became of each. */
  add(files: readonly Blob[]): Promise<readonly IntakeOutcome[]> {
    if (files.length > 0) this.#photos_added = true;
    return this.intake.add(files);
  }

  async remove(photo: PhotoRow): Promise<void> {
    await removeDraftPhoto(this.#deps, photo.photo_id);
  }

  /** What is sent of a photo: at most `max_side` pixels a side, or (null) the original; a marked one with its marks. */
  resize(photo: PhotoRow, max_side: number | null): Promise<Result<PhotoRow>> {
    if (photo.edits !== undefined) return this.markUp(photo, { ...photo.edits, max_side });
    return makeRendition(this.#deps, photo, async (original) =>
      ok(max_side === null ? null : await scaleDown(original, max_side)),
    );
  }

  /** Draws marks on a photo for good: from now on that is what is sent. Without marks it is the photo again. */
  markUp(
    photo: PhotoRow,
    edits: Edits,
    how: Pick<RenderOptions, 'signal' | 'onStep'> = {},
  ): Promise<Result<PhotoRow>> {
    const keep_place = !this.#photo_settings().photo_privacy;
    return markUp(this.#deps, photo, edits, { ...how, keep_place });
  }

  /** Turned a quarter clockwise for every press, with what is drawn on it. Saving waits for it. */
  async turn(photo: PhotoRow, presses = 1): Promise<Result<PhotoRow>> {
    // Smaller than its original before: it stays that.
    const side = photo.original ? sideOf(this.#photo_settings().photo_size) : null;
    let edits = photo.edits === undefined ? noEdits(side) : readEdits(photo.edits);
    // Marks that cannot be read here would be lost.
    if (edits === null || presses % 4 === 0) return ok(photo);
    for (let at = 0; at < presses % 4; at += 1) edits = turned(edits);
    const made = this.markUp(photo, edits);
    this.#turning = Promise.allSettled([this.#turning, made]);
    return made;
  }

  /** What is drawn on: never an earlier rendition. */
  original(photo: PhotoRow): Promise<Result<Blob>> {
    return sourceBlob(this.#deps, photo);
  }

  /** The photo's time stands in "When". A camera's clock without a zone stays as it is shown. */
  useTime(taken: TakenAt): void {
    const when = this.roles.when;
    if (!when) return;
    if (this.when_from !== 'photo')
      this.#when_before = this.answers.custom[customKey(when)] ?? null;
    this.when_from = 'photo';
    this.#put({ custom: { [customKey(when)]: takenInput(taken) } });
    this.#keep();
  }

  /**
   * What stood in "When" before stands there again.
   * @param then `typed`: the person wants it so, and no photo changes it any more; `clock`: the photo is gone
   */
  undoTime(then: 'typed' | 'clock'): void {
    const when = this.roles.when;
    if (!when || this.when_from !== 'photo') return;
    this.when_from = then;
    this.#put({ custom: { [customKey(when)]: this.#when_before } });
    this.#keep();
  }

  /** True only when database and journal have it on disk. */
  async save(): Promise<Saved> {
    if (this.saving) return { ok: false };
    this.tried = true;
    if (Object.keys(this.troubles).length > 0) return { ok: false };
    this.saving = true;
    this.problem = null;
    const end = beginSave(this.draft_id);
    try {
      await this.intake.idle();
      await this.#turning;
      await this.#writer.flush();
      const done = this.row ? await this.#saveEdit(this.row) : await this.#saveNew();
      this.saved = done.ok;
      if (!done.ok) {
        this.problem = done.problem;
        return { ok: false };
      }
      this.#writer.drop();
      return { ok: true, key: done.value.key };
    } finally {
      end();
      this.saving = false;
    }
  }

  /** Writes what is unwritten: a form left without saving keeps its draft. */
  flush(): void {
    void this.#writer.flush();
  }

  /** The person leaves: what has words or photos is kept as a draft, anything else was none. */
  async leave(): Promise<void> {
    await this.#writer.flush();
    if (this.row || this.saving || this.#thrown) return;
    if (firstWords(this.answers, this.definitions) !== '') return;
    await this.intake.idle();
    if ((await photosOfDraft(this.#deps, this.draft_id)).length > 0) return;
    this.#writer.drop();
    await discardDraft(this.#deps, this.draft_id);
  }

  /** Puts a near miss begun away, photos and all; `bringDraftBack` undoes it. */
  async throwAway(): Promise<void> {
    this.#thrown = true;
    this.intake.cancelAll();
    await this.intake.idle();
    await this.#writer.flush();
    this.#writer.drop();
    await throwDraftAway(this.#deps, this.draft_id);
  }

  /** Throws the draft away with its photos. */
  async discard(): Promise<void> {
    this.#writer.drop();
    this.intake.cancelAll();
    await this.intake.idle();
    await discardDraft(this.#deps, this.draft_id);
  }

  #put(change: {
    what?: string;
    rich?: string;
    lookups?: Partial<Answers['lookups']>;
    custom?: Answers['custom'];
    rating?: Answers['rating'];
  }): void {
    this.answers = {
      what: change.what ?? this.answers.what,
      rich: change.rich ?? this.answers.rich,
      rating: change.rating ?? this.answers.rating,
      lookups: { ...this.answers.lookups, ...change.lookups },
      custom: { ...this.answers.custom, ...change.custom },
    };
  }

  #current(): DraftRow {
    const { row } = this;
    const fields = row ? this.#changes(row) : fieldsOf(this.answers, this.definitions);
    this.#draft = { ...this.#draft, fields, ...(row ? { seen: this.#seen(row, fields) } : {}) };
    return this.#draft;
  }

  /** Only what was changed here: a field somebody else changed meanwhile is not touched. */
  #changes({ fields }: NearMissRow): Partial<NearMissFields> {
    const before = fieldsOf(this.#before ?? this.answers, this.definitions, fields);
    return changedFields(before, fieldsOf(this.answers, this.definitions, fields));
  }

  /** What was seen in them: by who began the edit, in the fields that the draft has, and in others as the form was opened. */
  #seen(row: NearMissRow, changes: Partial<NearMissFields>): SeenFields {
    const names = Object.keys(wireOf(changes));
    const before = Object.entries(this.#began).filter(([name]) => names.includes(name));
    return { ...seenIn(row, changes), ...Object.fromEntries(before) };
  }

  #keep(): void {
    if (this.saved) return;
    this.problem = null;
    if (!this.row && isEmpty(this.answers) && !this.#photos_added && !this.#written) return;
    this.#written = true;
    this.#writer.change(this.#current());
  }

  #target(): IntakeTarget {
    const { account } = this.#scope;
    const known = (this.row?.server?.attachments ?? []).flatMap((one) => one.sha256 ?? []);
    return {
      account,
      draft_id: this.draft_id,
      near_miss_key: this.row?.key,
      known,
      names: (this.row?.server?.attachments ?? []).flatMap((one) => one.filename ?? []),
    };
  }

  #saveNew() {
    const fields = fieldsOf(this.answers, this.definitions);
    return saveNearMiss(this.#deps, { ...this.#scope, id: this.draft_id, fields });
  }

  async #saveEdit(row: NearMissRow) {
    const changes = this.#changes(row);
    const seen = this.#seen(row, changes);
    const edited = await editNearMiss(this.#deps, row.key, changes, seen);
    if (!edited.ok) return edited;
    if (this.#photos_added || this.restored) {
      const added = await addPhotos(this.#deps, row.key, this.draft_id);
      if (!added.ok) return added;
      this.#photos_added = false;
    }
    await discardDraft(this.#deps, this.draft_id).catch(() => undefined);
    return { ok: true as const, value: { key: row.key } };
  }
}
