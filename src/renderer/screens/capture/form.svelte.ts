/**
 * State of one capture form: the answers, the draft that stores them from the first key, the photos being written to disk, and
 * saving. The screen only renders it. Editing a saved near miss uses the same class.
 */
import type { Settings } from '../../../contract/settings.ts';
import { ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { Catalog, CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { TextField } from '../../../contract/rest/near-miss-fields.ts';
import type {
  Deps,
  DraftRow,
  NearMissFields,
  NearMissRow,
  PhotoRow,
  BaseFields,
  TakenAt,
} from '../../data/db/db.ts';
import {
  discardDraft,
  beginSave,
  draftWriter,
  newDraft,
  newEditDraft,
  photosOfDraft,
  throwDraftAway,
  withChanges,
  type DraftWriter,
} from '../../data/near-misses/drafts.ts';
import { announcePhotos, settlePhoto } from '../../data/photos/coming-photos.ts';
import { changedFields, wireOf } from '../../data/model/near-miss-rows.ts';
import {
  addPhotos,
  editNearMiss,
  saveNearMiss,
  baseFieldsFor,
} from '../../data/near-misses/near-misses.ts';
import type { Side } from '../../data/model/photo-notes.ts';
import { rootOf } from '../../data/model/photo-rows.ts';
import { removeDraftPhoto } from '../../data/photos/photos.ts';
import { textOf } from '../../data/model/text.ts';
import { whoSawOf, withoutName } from '../../data/model/who-saw.ts';
import { nameOf, type IntakeProgress } from '../../photos/bring-in.ts';
import { takeIn, type IntakeOutcome, type IntakeTarget } from '../../photos/intake.ts';
import { noEdits, readEdits, type Edits } from '../../photos/markup/model.ts';
import type { RenderOptions } from '../../photos/markup/render.ts';
import { turned } from '../../photos/markup/turn.ts';
import { makeRendition, markUp, scaleDown, sourceBlob } from '../../photos/rendition.ts';
import type { Scope } from '../../state/app.svelte.ts';
import type { Handed } from '../../state/box/handed.ts';
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
} from '../../near-miss-form/answers.ts';
import { newAnswerCode } from '../../../contract/text/answer-code.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import { withoutNames } from '../../../contract/text/without-names.ts';
import { mapTexts, oneName } from '../../near-miss-form/names-in-texts.ts';
import { rolesHere } from '../../near-miss-form/roles-here.ts';
import { Intake, sideOf } from '../photos/intake.svelte.ts';
import type { Risk } from '../../near-miss-form/rating.ts';
import {
  emptied,
  fillingOf,
  type Filling,
  type Template,
  type Trade,
} from '../../near-miss-form/trades.ts';

/** `coded`: the report got its answer code by this save. */
export type Saved =
  { readonly ok: true; readonly key: string; readonly coded: boolean } | { readonly ok: false };

/** `last`: the incident of the last report. `guess`: the only incident, or the one used most on this laptop. */
export type IncidentFrom = 'last' | 'guess';

export interface FormStart {
  readonly scope: Scope;
  /** The incident preselected for a new near miss. */
  readonly incident_id: number | null;
  /** Source of that incident: the last report of this laptop, or a guess. Other incidents then stay one press away. */
  readonly incident_from?: IncidentFrom;
  /** A draft from this laptop: of a new near miss, or of the changes to `row`. */
  readonly draft: DraftRow | null;
  readonly photo_settings: () => Pick<Settings, 'photo_privacy' | 'photo_size'>;
  /** The edited near miss; null for a new one. */
  readonly row: NearMissRow | null;
  readonly definitions: readonly CustomFieldDefinition[];
  /** Preset side (before or after) of added photos, until a person chooses another. */
  readonly photo_side?: Side | null;
}

/** Shown when the draft could not be written. */
const UNWRITTEN: Problem = { kind: 'no_space', detail: 'draft' };

export class CaptureForm {
  answers = $state.raw<Answers>(emptyAnswers(null));
  definitions = $state.raw<readonly CustomFieldDefinition[]>([]);
  /** Draft that owns this form's photos until it is saved. */
  draft_id = $state('');
  /** True if the form shows a draft from an earlier session. */
  restored = $state(false);
  /** Source of "When"; `typed` is never overwritten. */
  when_from = $state<'clock' | 'photo' | 'typed'>('clock');
  /** How the photo's clock was read, if "When" is from a photo. */
  when_note = $state('');
  saving = $state(false);
  /** True once the draft is a report. Later changes are not stored. */
  saved = $state(false);
  /** True once Save was pressed: missing answers are marked from then on. */
  tried = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** When the draft was last written here; null until something was typed. */
  kept_at = $state<number | null>(null);
  /** The trade with the current template. */
  trade = $state<Trade | null>(null);
  readonly row: NearMissRow | null;
  /** Source of the preselected incident; null if there is none, or if a record or draft brought another. */
  readonly incident_from: IncidentFrom | null;
  readonly incident_begun: number | null;
  /** True if a person chose the incident in this form. */
  incident_chosen = $state(false);
  readonly photo_side: Side | null;
  /** Added photos whose side has not been set yet. */
  unsided = $state.raw<readonly string[]>([]);
  readonly intake: Intake<PhotoRow>;

  readonly roles = $derived(rolesHere(this.definitions));
  readonly troubles = $derived(troublesOf(this.answers, this.definitions));
  readonly risk = $derived(riskOf(this.answers, this.roles));

  readonly #deps: Deps;
  readonly #scope: Scope;
  readonly #writer: DraftWriter;
  /** Answers of the saved record before any change. The edit is the difference from them. */
  readonly #before: Answers | null;
  /** Base values from the restored draft of an edit. */
  readonly #began: BaseFields;
  readonly #photo_settings: FormStart['photo_settings'];
  #turning: Promise<unknown> = Promise.resolve();
  #draft: DraftRow;
  #photos_added = false;
  /** The template's answers, and the answers before it was applied. */
  #filled: { readonly put: Filling; readonly stood: Answers } | null = null;
  /** The value of "When" before a photo's time replaced it. */
  #when_before: string | boolean | null = null;
  /** True if a draft is on disk or being written. An emptied form must still be written, or the draft keeps deleted text. */
  #written: boolean;
  /** True if this form made the answer code of a report of somebody who stays unnamed. */
  #coded = false;
  /** Deleted, but "Undo" can restore it. */
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
      record: row?.fields,
      // During a save, only the save's result is shown.
      failed: () => {
        if (!this.saving) this.problem ??= UNWRITTEN;
      },
      written: () => {
        if (this.problem === UNWRITTEN) this.problem = null;
        this.kept_at = deps.clock.now();
      },
    });
    this.#draft = draft ?? (row ? newEditDraft(deps, scope, row.key) : newDraft(deps, scope));
    this.draft_id = this.#draft.id;
    this.#began = draft?.base_fields ?? {};
    this.#before = row ? answersOf(row.fields, start.definitions) : null;
    if (row) this.answers = answersOf(withChanges(row.fields, draft?.fields), start.definitions);
    else if (draft) this.answers = answersOf(draft.fields, start.definitions);
    else this.answers = emptyAnswers(incident_id);
    this.incident_begun = this.answers.lookups.incident_id;
    this.incident_from =
      !row && this.incident_begun === incident_id && incident_id !== null
        ? (start.incident_from ?? null)
        : null;
    this.restored = draft !== null;
    this.#written = draft !== null;
    this.when_from = row || draft ? 'typed' : 'clock';
    this.intake = new Intake({
      privacy: () => start.photo_settings().photo_privacy,
      // Announce before the first byte, so that a photo on disk always belongs to a findable draft.
      announce: (files, ids) => {
        const named = files.map((file, at) => ({
          photo_id: ids[at] ?? '',
          filename: nameOf(file, deps.clock.now()),
        }));
        return announcePhotos(deps, this.#current(), named, row?.fields).catch(() => undefined);
      },
      take: async (files, how) => {
        const onProgress = (progress: IntakeProgress): void => {
          how.onProgress(progress);
          if (progress.step !== 'done') return;
          // If this fails, the next start names a photo too many, never one too few.
          settlePhoto(deps, this.draft_id, progress.photo_id).catch(() => undefined);
        };
        const max_side = sideOf(start.photo_settings().photo_size);
        const how_large = { ...how, max_side };
        const outcomes = await takeIn(deps, this.#target(), files, onProgress, how_large);
        const came = outcomes.flatMap((one) => (one.ok ? rootOf(one.kept) : []));
        if (this.photo_side !== null) this.unsided = [...this.unsided, ...came];
        return outcomes;
      },
    });
  }

  /** Call when the catalog arrives or changes while the form is open. */
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

  setRich(rich: string): void {
    this.#put({ what: textOf(rich), rich });
    this.#keep();
  }

  setLookup(name: LookupName, id: number | null): void {
    if (name === 'incident_id') this.incident_chosen = true;
    this.#put({ lookups: { [name]: id } });
    this.#keep();
  }

  setText(name: TextField, text: string): void {
    this.#put({ texts: { [name]: text } });
    this.#keep();
  }

  setCustom(definition: CustomFieldDefinition, value: string | boolean | null): void {
    if (definition.id === this.roles.when?.id) this.when_from = 'typed';
    this.#put({ custom: { [customKey(definition)]: value } });
    this.#keep();
  }

  /** Severity: an index into the three levels or the catalog's options. */
  setLevel(level: number | null): void {
    this.#put(chooseLevel(this.answers, this.roles, level));
    this.#keep();
  }

  setRisk(risk: Risk | null): void {
    this.#put(chooseRisk(this.answers, this.roles, risk));
    this.#keep();
  }

  /** Takes a name out of the texts of the report, except a formatted one, which only its editor changes. */
  takeOut(name: string, instead: string): void {
    const known = oneName(name);
    this.#put(
      mapTexts(this.answers, this.definitions, (text) => withoutNames(text, known, instead)),
    );
    this.#keep();
  }

  /** Copies repeatable answers of the last report, never its text, time or photos. */
  takeOver(last: Pick<NearMissRow, 'fields'>, catalog: Catalog | null): void {
    const same = repeatable(answersOf(last.fields, this.definitions), this.roles, catalog);
    this.#put(same);
    this.#keep();
  }

  /** Applies a trade's template. Null, or the current template, removes it; text typed over it stays. */
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

  /** Adds files from picker, drop, paste, camera or phone, in order, without blocking the form. Returns each file's outcome. */
  add(files: readonly Blob[]): Promise<readonly IntakeOutcome[]> {
    if (files.length > 0) this.#photos_added = true;
    return this.intake.add(files);
  }

  /** Takes what a report from the box brings beside its draft. The job is preselected as in an empty form. */
  bring({ files, name }: Handed, incident_id: number | null): void {
    const { saw } = this.roles;
    if (saw !== null && name !== '') this.#put({ custom: { [customKey(saw.who)]: name } });
    if (this.answers.lookups.incident_id === null) this.#put({ lookups: { incident_id } });
    this.#keep();
    void this.add(files);
  }

  async remove(photo: PhotoRow): Promise<void> {
    await removeDraftPhoto(this.#deps, photo.photo_id);
  }

  /**
   * Sets the version that is sent: at most `max_side` pixels per side, or (null) the original. A marked photo keeps its marks.
   */
  resize(photo: PhotoRow, max_side: number | null): Promise<Result<PhotoRow>> {
    if (photo.edits !== undefined) return this.markUp(photo, { ...photo.edits, max_side });
    return makeRendition(this.#deps, photo, async (original) =>
      ok(max_side === null ? null : await scaleDown(original, max_side)),
    );
  }

  /** Renders marks into the rendition of a photo. Without marks the photo is restored. */
  markUp(
    photo: PhotoRow,
    edits: Edits,
    how: Pick<RenderOptions, 'signal' | 'onStep'> = {},
  ): Promise<Result<PhotoRow>> {
    const keep_place = !this.#photo_settings().photo_privacy;
    return markUp(this.#deps, photo, edits, { ...how, keep_place });
  }

  /** Rotates a photo and its marks a quarter clockwise per press. Saving waits for it. */
  async turn(photo: PhotoRow, presses = 1): Promise<Result<PhotoRow>> {
    // A photo that was already reduced stays reduced.
    const side = photo.original ? sideOf(this.#photo_settings().photo_size) : null;
    let edits = photo.edits === undefined ? noEdits(side) : readEdits(photo.edits);
    // Unreadable marks would be lost.
    if (edits === null || presses % 4 === 0) return ok(photo);
    for (let at = 0; at < presses % 4; at += 1) edits = turned(edits);
    const made = this.markUp(photo, edits);
    this.#turning = Promise.allSettled([this.#turning, made]);
    return made;
  }

  /** The source image for markup, never an earlier rendition. */
  original(photo: PhotoRow): Promise<Result<Blob>> {
    return sourceBlob(this.#deps, photo);
  }

  /**
   * Puts the photo's time into "When". A camera time without a zone is used as shown.
   * @param note how the photo's clock was read
   */
  useTime(taken: TakenAt, note = ''): void {
    const when = this.roles.when;
    if (!when) return;
    if (this.when_from !== 'photo')
      this.#when_before = this.answers.custom[customKey(when)] ?? null;
    this.when_from = 'photo';
    this.when_note = note;
    this.#put({ custom: { [customKey(when)]: takenInput(taken) } });
    this.#keep();
  }

  /**
   * Restores the earlier value of "When".
   * @param then `typed`: the person decided, so photos no longer change it; `clock`: the photo was removed
   */
  undoTime(then: 'typed' | 'clock'): void {
    const when = this.roles.when;
    if (!when || this.when_from !== 'photo') return;
    this.when_from = then;
    this.#put({ custom: { [customKey(when)]: this.#when_before } });
    this.#keep();
  }

  /** Saves the form. `ok` only if database and journal have it on disk. */
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
      this.#giveCode();
      const done = this.row ? await this.#saveEdit(this.row) : await this.#saveNew();
      this.saved = done.ok;
      if (!done.ok) {
        this.problem = done.problem;
        return { ok: false };
      }
      this.#writer.drop();
      return { ok: true, key: done.value.key, coded: this.#coded };
    } finally {
      end();
      this.saving = false;
    }
  }

  /** Writes unwritten changes: a form that is left without saving keeps its draft. */
  flush(): void {
    void this.#writer.flush();
  }

  /** Call when the person leaves. Keeps the draft if it has text or photos, else deletes it. */
  async leave(): Promise<void> {
    await this.#writer.flush();
    if (this.row || this.saving || this.#thrown) return;
    if (firstWords(this.answers, this.definitions) !== '') return;
    await this.intake.idle();
    if ((await photosOfDraft(this.#deps, this.draft_id)).length > 0) return;
    this.#writer.drop();
    await discardDraft(this.#deps, this.draft_id);
  }

  /** Deletes the draft with its photos; `bringDraftBack` undoes it. */
  async throwAway(): Promise<void> {
    this.#thrown = true;
    this.intake.cancelAll();
    await this.intake.idle();
    await this.#writer.flush();
    this.#writer.drop();
    await throwDraftAway(this.#deps, this.draft_id);
  }

  /** Permanently deletes the draft and its photos. */
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
    texts?: Partial<Answers['texts']>;
    custom?: Answers['custom'];
    rating?: Answers['rating'];
  }): void {
    this.answers = {
      what: change.what ?? this.answers.what,
      rich: change.rich ?? this.answers.rich,
      rating: change.rating ?? this.answers.rating,
      lookups: { ...this.answers.lookups, ...change.lookups },
      texts: { ...this.answers.texts, ...change.texts },
      custom: { ...this.answers.custom, ...change.custom },
    };
  }

  #current(): DraftRow {
    const { row } = this;
    const typed = row ? this.#changes(row) : fieldsOf(this.answers, this.definitions);
    // Drafts go to the journal, which keeps earlier states for a while. A name must not be among them (decisions §4.12).
    const fields = withoutName(typed, this.roles.saw);
    this.#draft = {
      ...this.#draft,
      fields,
      ...(row ? { base_fields: this.#baseFields(row, fields) } : {}),
    };
    return this.#draft;
  }

  /** Only fields changed here, so that others' changes to other fields survive. */
  #changes({ fields }: NearMissRow): Partial<NearMissFields> {
    const before = fieldsOf(this.#before ?? this.answers, this.definitions, fields);
    return changedFields(before, fieldsOf(this.answers, this.definitions, fields));
  }

  /** Base values of the changed fields: from the draft for fields it already had, else from when the form was opened. */
  #baseFields(row: NearMissRow, changes: Partial<NearMissFields>): BaseFields {
    const names = Object.keys(wireOf(changes));
    const before = Object.entries(this.#began).filter(([name]) => names.includes(name));
    return { ...baseFieldsFor(row, changes), ...Object.fromEntries(before) };
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

  /** The reports of people who stay unnamed have a code, made when they are saved. */
  #giveCode(): void {
    const { saw } = this.roles;
    if (saw === null) return;
    const { unnamed, code } = whoSawOf({ custom_fields: this.answers.custom }, saw);
    const key = customKey(saw.code);
    const drawn = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    if (unnamed && code === '') this.#put({ custom: { [key]: newAnswerCode(drawn) } });
    // A save that failed made it, and the answer has changed since.
    else if (!unnamed && this.#coded) this.#put({ custom: { [key]: null } });
    else return;
    this.#coded = unnamed;
  }

  #saveNew() {
    const fields = fieldsOf(this.answers, this.definitions);
    return saveNearMiss(this.#deps, { ...this.#scope, id: this.draft_id, fields });
  }

  async #saveEdit(row: NearMissRow) {
    const changes = this.#changes(row);
    const baseFields = this.#baseFields(row, changes);
    const edited = await editNearMiss(this.#deps, row.key, changes, baseFields);
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
