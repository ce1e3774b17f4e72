/**
 * Adds sheets of one file as plans, or one sheet as a newer revision: reads the file, draws the chosen sheets, sends the file and
 * the pictures, and makes the plans, one after the other. Each plan that was made stays if a later one fails.
 */
import { ok, type Problem, type Result } from '../../../../contract/problem.ts';
import type { Plan, PlanDrawing } from '../../../../contract/rest/plans/plans.ts';
import { addRevision, createPlan } from '../../../data/plans/plans.ts';
import { sendPlanFile } from '../../../data/plans/send-plan-file.ts';
import { app } from '../../../state/app.svelte.ts';
import { createDrawingReader, type DrawingReader } from './drawing-reader.ts';
import type { DrawingRefusal } from './drawing.ts';

export interface SheetRow {
  readonly page: number;
  preview: Blob | null;
  chosen: boolean;
  name: string;
  number: string;
}

/** Previews that are drawn; the rows of the others have none. */
const PREVIEWS = 40;

const baseName = (filename: string): string =>
  filename
    .replace(/\.[^.]*$/, '')
    .replace(/[_]+/g, ' ')
    .trim()
    .slice(0, 90);

export class Adding {
  file = $state.raw<File | null>(null);
  reading = $state(false);
  is_pdf = $state(false);
  rows = $state<SheetRow[]>([]);
  refusal = $state<DrawingRefusal | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Null: nothing is being added. */
  step = $state.raw<{
    readonly kind: 'drawing' | 'sending';
    readonly at: number;
    readonly of: number;
    readonly share: number;
  } | null>(null);
  #reader: DrawingReader | null = null;
  #stop = new AbortController();

  async open(file: File): Promise<void> {
    this.stop();
    this.#stop = new AbortController();
    this.file = file;
    this.refusal = null;
    this.problem = null;
    this.rows = [];
    this.reading = true;
    const reader = (this.#reader = createDrawingReader());
    const opened = await reader.open(file);
    if (reader !== this.#reader) return;
    this.reading = false;
    if (!opened.ok) {
      this.refusal = opened.why;
      this.file = null;
      return;
    }
    const { pages, is_pdf } = opened.value;
    this.is_pdf = is_pdf;
    this.rows = Array.from({ length: pages }, (_one, at) => ({
      page: at + 1,
      preview: null,
      chosen: pages === 1,
      name: pages === 1 ? baseName(file.name) : `${baseName(file.name)} ${at + 1}`,
      number: '',
    }));
    for (const row of this.rows.slice(0, PREVIEWS)) {
      const drawn = await reader.preview(row.page);
      if (reader !== this.#reader) return;
      if (drawn.ok) row.preview = drawn.value.picture;
      else if (drawn.why === 'stopped') {
        this.refusal = drawn.why;
        return;
      }
    }
  }

  /** The uploads of one sheet. `drawing_uuid`: the file, if it was sent with an earlier sheet. */
  async #upload(
    row: SheetRow,
    drawing_uuid: string | null,
    at: number,
    of: number,
  ): Promise<Result<PlanDrawing> | null> {
    const { scope, deps } = app;
    const { file } = this;
    if (scope === null || file === null || this.#reader === null) return null;
    this.step = { kind: 'drawing', at, of, share: 0 };
    const drawn = await this.#reader.draw(row.page);
    if (!drawn.ok) {
      if (!this.#stop.signal.aborted) this.refusal = drawn.why;
      return null;
    }
    const files: Blob[] = [...(drawing_uuid === null ? [file] : []), ...drawn.value.pictures];
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let before = 0;
    const uuids: string[] = [];
    for (const [index, one] of files.entries()) {
      const name =
        one === file ? file.name : `page-${row.page}-${index}.${one.type.slice('image/'.length)}`;
      const progress = (share: number): void => {
        const sent = before + share * one.size;
        this.step = { kind: 'sending', at, of, share: total === 0 ? 1 : sent / total };
      };
      progress(0);
      const { account, company_id } = scope;
      const { signal } = this.#stop;
      const sent = await sendPlanFile(deps, one, name, { account, company_id, signal, progress });
      if (!sent.ok) return sent;
      before += one.size;
      uuids.push(sent.value);
    }
    const [first = ''] = drawing_uuid === null ? uuids.splice(0, 1) : [drawing_uuid];
    return ok({
      upload_uuid: first,
      ...(this.is_pdf ? { page: row.page } : {}),
      picture_uuids: uuids,
    });
  }

  /** @param plan the plan of which the one chosen sheet is a newer revision; null makes new plans */
  async add(plan: Plan | null, revision: string): Promise<readonly Plan[]> {
    const { scope, deps } = app;
    if (scope === null) return [];
    const chosen = this.rows.filter((row) => row.chosen);
    const made: Plan[] = [];
    let drawing_uuid: string | null = null;
    this.problem = null;
    for (const [index, row] of chosen.entries()) {
      const uploaded = await this.#upload(row, drawing_uuid, index + 1, chosen.length);
      if (uploaded === null) break;
      if (!uploaded.ok) {
        this.#fail(uploaded.problem);
        break;
      }
      const drawing: PlanDrawing = { ...uploaded.value, revision: revision.trim() || null };
      drawing_uuid = drawing.upload_uuid;
      const { name, number } = row;
      const answer = plan
        ? await addRevision(deps, scope, plan.id, drawing)
        : await createPlan(deps, scope, { ...drawing, name: name.trim(), number: number.trim() });
      if (!answer.ok) {
        this.#fail(answer.problem);
        break;
      }
      row.chosen = false;
      made.push(answer.value);
    }
    this.step = null;
    return made;
  }

  #fail(problem: Problem): void {
    if (problem.kind !== 'cancelled') this.problem = problem;
  }

  stop(): void {
    this.#stop.abort();
    this.#reader?.stop();
    this.#reader = null;
    this.reading = false;
  }
}
