/** Erasing a person, as an admin does it (decisions §21). */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Level } from '../../../src/contract/rest/access/levels.ts';
import type {
  ErasureAct,
  ErasureHit,
  ErasureProof,
} from '../../../src/contract/rest/retention/erasures.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.erasure;
const at = '/company-data/erasure';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const name = () => page.getByLabelText(t.name, { exact: true });
const choice = (place: string) =>
  page.getByRole('combobox', { name: t.decide(place), exact: true });

const hitOf = (more: Partial<ErasureHit> & Pick<ErasureHit, 'id' | 'kind'>): ErasureHit => ({
  resource: 'near_misses',
  resource_id: 1,
  project_id: 10,
  number: '3-12',
  field: 'description',
  label: null,
  excerpt: 'Load swung at Ana Ruiz',
  proposed: 'pseudonymise',
  held: null,
  ...more,
});

const hits: readonly ErasureHit[] = [
  hitOf({ id: 'user:users:7::name', kind: 'user', resource: 'users', number: null, field: 'name' }),
  hitOf({ id: 'report:1', kind: 'report' }),
  hitOf({ id: 'report:2', kind: 'report', field: 'custom_field_7', label: 'Who saw it' }),
  hitOf({ id: 'history:1', kind: 'history', proposed: 'erase' }),
  hitOf({ id: 'photo:1', kind: 'photo', field: 'photo', excerpt: 'a.jpg', proposed: 'keep' }),
  hitOf({
    id: 'report:3',
    kind: 'report',
    number: '4-1',
    proposed: 'keep',
    held: { why: 'legal_hold', reason: 'Claim of 4 May' },
  }),
  hitOf({
    id: 'copy:mails',
    kind: 'copy',
    resource: 'mails',
    resource_id: null,
    number: null,
    field: 'text',
    excerpt: '',
  }),
];

interface Asked {
  readonly body: {
    readonly erasure: {
      readonly name?: string;
      readonly also_called: readonly string[];
      readonly decisions: readonly { readonly id: string; readonly act: ErasureAct }[];
    };
  };
}

const none = { erased: 0, pseudonymised: 0, kept: 0, refused: 0, waiting: 0 };
const proofOf = (done: boolean): ErasureProof => ({
  id: 5,
  pseudonym: 'Person 7F3K',
  created_at: '2026-05-04T09:00:00.000Z',
  created_by: { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' },
  done_at: done ? '2026-05-04T09:01:00.000Z' : null,
  copies_until: done ? '2026-05-11T09:01:00.000Z' : null,
  counts: [
    { ...none, kind: 'report', pseudonymised: done ? 2 : 1, waiting: done ? 0 : 1, refused: 1 },
    { ...none, kind: 'history', erased: 1 },
  ],
  remained: done
    ? [
        {
          kind: 'report',
          resource: 'near_misses',
          resource_id: 1,
          project_id: 10,
          number: '4-1',
          field: 'description',
          why: 'legal_hold',
        },
      ]
    : [],
});

const hostOf = (level: Level | null = 'admin') => {
  const host = asServer(siteHost([reported('Hoist hook bent')]));
  host.session = { ...host.session, level };
  const server = { asked: [] as Asked['body']['erasure'][], done: false };
  const asked = (input: Readonly<Record<string, unknown>>) => {
    server.asked.push((input['input'] as Asked).body.erasure);
  };
  host.answers.set('erasures.list', () => reply(server.done ? [proofOf(true)] : []));
  host.answers.set('erasures.preview', (input) => {
    asked(input);
    return reply({ fingerprint: 'x', total: hits.length, hits });
  });
  host.answers.set('erasures.create', (input) => {
    asked(input);
    return reply(proofOf(false));
  });
  host.answers.set('erasures.show', () => reply(proofOf(server.done)));
  return { host, server };
};

it('decisions §21.1, §21.2: an admin looks for a name, decides place by place, confirms, and gets the proof', async () => {
  const { host, server } = hostOf();
  await openApp({ host, at });
  await button(t.look).click();
  await expect.element(page.getByText(t.name_bad)).toBeVisible();
  await look('erasure');
  await name().fill('Ana Ruiz');
  await page.getByRole('textbox', { name: new RegExp(t.also) }).fill('Anita Ruiz, ana@example.com');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(t.found(hits.length))).toBeVisible();
  expect(server.asked).toEqual([
    { name: 'Ana Ruiz', also_called: ['Anita Ruiz', 'ana@example.com'] },
  ]);
  const report = t.groups.report('3-12');
  await expect.element(choice(`${report}, ${t.kinds.history}`)).toHaveValue('erase');
  await expect
    .element(choice(`${t.groups.report('4-1')}, ${t.fields['description'] ?? ''}`))
    .toBeDisabled();
  await expect.element(page.getByText(/Claim of 4 May/)).toBeVisible();
  await expect.element(page.getByText(t.chosen(5, 2))).toBeVisible();
  await look('erasure, places');
  await choice(`${report}, ${t.kinds.photo}`).selectOptions(t.blur);
  await choice(`${report}, Who saw it`).selectOptions(t.acts.keep);
  await button(t.start).click();
  await expect.element(dialog().getByText(t.sure(5))).toBeVisible();
  await expect.element(dialog().getByText(t.sure_account)).toBeVisible();
  await look('erasure, asked again');
  await dialog().getByRole('button', { name: t.do_it, exact: true }).click();
  await expect.element(page.getByRole('progressbar', { name: t.running })).toBeVisible();
  expect(server.asked[1]?.decisions).toEqual([
    { id: 'user:users:7::name', act: 'pseudonymise' },
    { id: 'report:1', act: 'pseudonymise' },
    { id: 'history:1', act: 'erase' },
    { id: 'photo:1', act: 'erase' },
    { id: 'copy:mails', act: 'pseudonymise' },
  ]);
  server.done = true;
  await expect.element(page.getByRole('heading', { name: t.remained })).toBeVisible();
  await expect.element(page.getByText('Person 7F3K', { exact: false })).toBeVisible();
  await expect.element(page.getByText(t.held.legal_hold)).toBeVisible();
  await expect.element(button(words.printing.print)).toBeVisible();
  await look('erasure, proof');
  await button(t.again).click();
  await expect.element(button(t.open('Person 7F3K'))).toBeVisible();
});

slow(
  'decisions §21.1: by keyboard alone; looking can be stopped, and nothing was changed',
  async () => {
    const { host, server } = hostOf();
    const held = Promise.withResolvers<void>();
    host.holds.push({ on: ({ endpoint }) => endpoint === 'erasures.preview', until: held.promise });
    await openApp({ host, at });
    await expect.element(name()).toBeVisible();
    (name().element() as HTMLElement).focus();
    await userEvent.keyboard('Ana Ruiz{Enter}');
    await expect.element(button(t.cancel)).toBeVisible();
    (button(t.cancel).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button(t.look)).toBeVisible();
    held.resolve();
    await expect.element(page.getByText(t.found(hits.length))).not.toBeInTheDocument();
    await expect.element(name()).toHaveValue('Ana Ruiz');
    (button(t.look).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(t.found(hits.length))).toBeVisible();
    (button(t.all_to.keep).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(t.chosen(0, hits.length))).toBeVisible();
    await expect.element(button(t.start)).toBeDisabled();
    expect(server.asked.every((one) => !('decisions' in one))).toBe(true);
  },
);

slow(
  'decisions §21.2: if something changed since the preview, it says so and the name is looked for again',
  async () => {
    const { host } = hostOf();
    await openApp({ host, at });
    await name().fill('Ana Ruiz');
    await userEvent.keyboard('{Enter}');
    await button(t.start).click();
    const problem = { kind: 'conflict' as const, status: 409, messages: ['It was changed'] };
    host.faults.push({
      on: ({ endpoint }) => endpoint === 'erasures.create',
      at: 'before',
      problem,
    });
    await dialog().getByRole('button', { name: t.do_it, exact: true }).click();
    await expect.element(page.getByText(t.changed)).toBeVisible();
    await expect.element(name()).toHaveValue('Ana Ruiz');
    (button(t.look).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(t.found(hits.length))).toBeVisible();
    await expect.element(page.getByText(t.changed)).not.toBeInTheDocument();
  },
);

it.each(['standard', null] as const)(
  'decisions §21: the level %s is not offered it',
  async (level) => {
    const { host } = hostOf(level);
    await openApp({ host, at: '/company-data' });
    await expect.element(page.getByText(words.own_data.kinds.people).first()).toBeVisible();
    await expect.poll(() => page.getByText(t.title).elements()).toHaveLength(0);
  },
);
