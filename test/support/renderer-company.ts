/** The company's records behind the scripted host: what the lists of insurances, members and webhooks return. */
import type { ProjectMembership } from '../../src/contract/rest/project-memberships.ts';
import {
  webhookEventTypesOf,
  webhookResourceNames,
  type WebhookHook,
} from '../../src/contract/rest/webhooks.ts';
import type { ScriptedHost } from './renderer-host.ts';
import { asServer, siteCatalog, siteHost } from './renderer-site.ts';

export interface CompanyRecords {
  readonly members: ProjectMembership[];
  readonly hooks: WebhookHook[];
}

export const VENDOR = { id: 71, name: 'Coastal Crane Hire' };
export const ENTRY = { id: 95, name: 'T&M 001: extra shoring, pier 3' };

/** A successful response with this content. */
export const reply = (data: unknown, status = 200) => ({
  status,
  data,
  paging: Array.isArray(data) ? { per_page: 1000, total: data.length, has_next: false } : null,
  etag: null,
  replayed: false,
  server_time: null,
});

export const hookAt = (id: number, destination_url: string): WebhookHook => ({
  id,
  api_version: 'v1',
  namespace: 'core',
  destination_url,
  destination_headers: {},
  company_id: null,
  project_id: 10,
  failing_since: null,
  disabled_at: null,
  created_at: '2026-03-04T05:06:07Z',
  updated_at: '2026-03-04T05:06:07Z',
});

/** A server with a vendor, an entry for time and materials, and these records. Two members have left the company. */
export const companyHost = (): { host: ScriptedHost; records: CompanyRecords } => {
  const host = asServer(siteHost());
  host.service.catalog = {
    ...siteCatalog,
    parties: [
      { id: 7, name: 'Maria Kovacs', reference_user: false },
      { id: 8, name: 'Tom Brennan', reference_user: false },
      { id: 21, name: 'Ana Lopez', reference_user: true },
      { id: 22, name: 'Ivan Stone', reference_user: true },
    ],
    vendors: [VENDOR],
    time_and_material_entries: [ENTRY],
  };
  const records: CompanyRecords = {
    members: [7, 8, 901, 902].map((party_id) => ({
      id: party_id + 1000,
      party_id,
      project_id: 10,
    })),
    hooks: [],
  };
  const lists: Readonly<Record<string, () => readonly unknown[]>> = {
    'insurances.list': () => [],
    'project_memberships.list': () => records.members,
    'webhook_hooks.list': () => records.hooks,
    'webhook_triggers.list': () => [],
    'webhook_resources.list': () =>
      webhookResourceNames.map((name) => ({ name, event_types: webhookEventTypesOf(name) })),
    'webhook_deliveries.list': () => [],
  };
  for (const [name, rows] of Object.entries(lists))
    host.answers.set(name, () => reply([...rows()]));
  return { host, records };
};
