/** A server with plans behind the scripted host: a drawing with two revisions, and the field for the pin. */
import type { Plan, PlanDrawing, PlanRevision } from '../../src/contract/rest/plans/plans.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { reply } from './renderer-company.ts';
import type { ScriptedHost } from './renderer-host.ts';
import { asServer, siteCatalog, siteHost } from './renderer-site.ts';

export const PIN = 'custom_field_95';
const NOW = '2026-11-20T08:00:00Z';

/** A floor plan with rooms, stairs and a crane, so that a screenshot shows something. */
const drawn = async (width: number): Promise<File> => {
  const canvas = new OffscreenCanvas(width, width * 0.7);
  const draw = canvas.getContext('2d');
  if (draw === null) throw new Error('no canvas');
  draw.scale(width / 1000, width / 1000);
  draw.fillStyle = '#ffffff';
  draw.fillRect(0, 0, 1000, 700);
  draw.strokeStyle = '#2d3742';
  draw.lineWidth = 6;
  draw.strokeRect(60, 60, 880, 520);
  draw.lineWidth = 3;
  for (const [x, y, wide, high] of [
    [60, 60, 260, 220],
    [320, 60, 200, 220],
    [700, 60, 240, 300],
    [60, 400, 340, 180],
    [560, 430, 380, 150],
  ] as const)
    draw.strokeRect(x, y, wide, high);
  for (let step = 0; step < 8; step += 1) draw.strokeRect(540 + step * 16, 90, 16, 90);
  draw.beginPath();
  draw.arc(500, 340, 90, 0, 2 * Math.PI);
  draw.setLineDash([10, 8]);
  draw.stroke();
  draw.setLineDash([]);
  draw.font = '22px sans-serif';
  draw.fillStyle = '#2d3742';
  for (const [text, x, y] of [
    ['Store', 150, 180],
    ['Office', 385, 180],
    ['Deck B', 780, 210],
    ['Laydown', 180, 500],
    ['Pier 3', 720, 515],
    ['TC-2', 476, 348],
    ['A-103', 860, 650],
  ] as const)
    draw.fillText(text, x, y);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new File([blob], `level-3-${width}.png`, { type: 'image/png' });
};

const revisionOf = (id: number, label: string, files: readonly number[]): PlanRevision => {
  const file = (one: number) => ({
    id: one,
    filename: `level-3-${one}.png`,
    content_type: 'image/png',
    size: 1000,
    sha256: String(one).padStart(64, '0'),
    url: 'https://spotter.example/file',
  });
  return {
    id,
    revision: label,
    page: null,
    drawing: file(files[0] ?? 0),
    pictures: files.map((one, at) => ({
      ...file(one),
      width: [1000, 2000][at] ?? 1000,
      height: [700, 1400][at] ?? 700,
    })),
    created_at: NOW,
    created_by: { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' },
  };
};

const planOf = (
  id: number,
  name: string,
  number: string | null,
  revisions: PlanRevision[],
): Plan => ({
  id,
  project_id: 10,
  name,
  number,
  active: true,
  revisions,
  created_at: NOW,
  updated_at: NOW,
});

interface Given {
  readonly params: { readonly id: number };
  readonly body: {
    readonly plan: Partial<Plan> & PlanDrawing;
    readonly revision: PlanDrawing;
  };
}

/** `plans` may be changed by a test, as by another laptop. */
export const planHost = async (records: readonly Partial<NearMiss>[] = []) => {
  const host: ScriptedHost = asServer(siteHost(records));
  host.session = { ...host.session, level: 'admin' };
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [
      ...siteCatalog.custom_field_definitions,
      { id: 95, label: 'Where on the plan', data_type: 'string', options: [], required: false },
    ],
  };
  for (const [id, width] of [
    [501, 1000],
    [502, 2000],
    [503, 1000],
  ] as const)
    host.pictures.set(id, await drawn(width));
  const plans: Plan[] = [
    planOf(1, 'Level 3', 'A-103', [revisionOf(57, 'C', [501, 502]), revisionOf(41, 'B', [503])]),
  ];
  const bodies: Given['body'][] = [];
  const answer = (name: string, data: (given: Given) => unknown, status = 200) =>
    host.answers.set(name, (input) => reply(data(input['input'] as Given), status));
  answer('plans.list', () => plans);
  answer('plans.create', ({ body }) => {
    bodies.push(body);
    const made = planOf(10 + plans.length, body.plan.name ?? '', body.plan.number || null, [
      revisionOf(100 + plans.length, body.plan.revision ?? '', [501, 502]),
    ]);
    plans.push(made);
    return made;
  });
  answer('plan_revisions.create', ({ params, body }) => {
    bodies.push(body);
    const found = plans.find(({ id }) => id === params.id);
    found?.revisions.unshift(revisionOf(200, body.revision.revision ?? '', [501, 502]));
    return found;
  });
  answer('plans.update', ({ params, body }) => {
    const found = plans.find(({ id }) => id === params.id);
    return found && Object.assign(found, body.plan);
  });
  answer('plans.delete', ({ params }) => {
    plans.splice(
      plans.findIndex(({ id }) => id === params.id),
      1,
    );
  });
  return { host, plans, bodies };
};

export const pinned = (text: string): NearMiss['custom_fields'] => ({
  [PIN]: { data_type: 'string', value: text },
});
