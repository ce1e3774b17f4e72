/** The note in a webhook's row, without a screen. */
import { afterEach, expect, it } from 'vitest';
import type { WebhookEventType } from '../../../src/contract/rest/webhooks.ts';
import type { HookView } from '../../../src/renderer/data/company/webhook-rows.ts';
import { needsHeadersAgain, noteOf } from '../../../src/renderer/screens/company/webhooks/view.ts';
import { speak } from '../../../src/renderer/words/words.ts';

type Trigger = readonly [resource: string, event: WebhookEventType];
const hook = (url: string, ...triggers: readonly Trigger[]): HookView => ({
  key: `${url} ${triggers.join(' ')}`,
  lane: '',
  server_id: null,
  row: null,
  scope: 'project',
  namespace: 'core',
  api_version: 'v1',
  destination_url: url,
  triggers: triggers.map(([resource_name, event_type]) => ({
    key: `${resource_name} ${event_type}`,
    server_id: null,
    resource_name,
    event_type,
    waiting: null,
  })),
  waiting: [],
  undeleted: null,
});
afterEach(() => speak('en'));

it('webhooks at one host are told apart by the path of their addresses and by their events, in either language', async () => {
  const all = [
    hook('https://hooks.example.com/safety', ['Near Misses', 'delete'], ['Near Misses', 'create']),
    hook(
      'https://hooks.example.com/office/',
      ['Project Memberships', 'create'],
      ['Near Misses', 'create'],
      ['Near Misses', 'update'],
    ),
    hook('https://hooks.example.com'),
    hook('https://other.example.com/safety', ['Drawings', 'create']),
  ];
  const notes = () => all.map((one) => noteOf(one, all));
  expect(notes()).toEqual([
    '/safety · Near misses: Created, Deleted',
    '/office · 3 events: Near misses, Members',
    '',
    'Drawings: Created',
  ]);
  await speak('es');
  expect(notes()).toEqual([
    '/safety · Casi accidentes: Creado, Eliminado',
    '/office · 3 eventos: Casi accidentes, Miembros',
    '',
    'Drawings: Creado',
  ]);
});

it('of a long path a row has its beginning and its end, and nothing of what follows its question mark', () => {
  const all = [
    hook('https://hooks.example.com/services/T024BE7LD/B024BE7LF/x7Kq2mW9?key=canary'),
    hook('https://hooks.example.com/'),
  ];
  expect(all.map((one) => noteOf(one, all))).toEqual(['/services/T0…Kq2mW9', '']);
});

it('S30: another origin needs the headers again; another path, or a hook without headers, does not', () => {
  const kept = (...header_names: string[]): HookView => {
    const view = hook('https://hooks.example.com/a');
    const { scope, namespace, api_version, destination_url } = view;
    const row = {
      scope,
      namespace,
      api_version,
      destination_url,
      header_names,
      key: view.key,
      account: '',
      project_id: 1,
      server_id: 1,
      seen_at: 0,
      created_at: '',
      failing_since: null,
      disabled_at: null,
      secret_unseen: false,
    };
    return { ...view, server_id: 1, row };
  };
  const moved = 'https://other.example.com/a';
  expect(
    [moved, 'http://hooks.example.com/a', 'https://hooks.example.com:8443/a'].map((url) =>
      needsHeadersAgain(kept('Authorization'), url),
    ),
  ).toEqual([true, true, true]);
  expect(needsHeadersAgain(kept('Authorization'), 'https://hooks.example.com/b')).toBe(false);
  expect(needsHeadersAgain(kept('Authorization'), 'https://')).toBe(false);
  expect([kept(), null].map((view) => needsHeadersAgain(view, moved))).toEqual([false, false]);
});
