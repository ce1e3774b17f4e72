/** A company that keeps reports for a time: records of any age, passes of the sweep, and all texts that the database holds. */
import { expect } from 'vitest';
import type { RetentionPreview } from '../../../src/contract/rest/retention/retention.ts';
import type { Swept } from '../../../src/service/domain/retention/sweep.ts';
import type { Client, TestService } from '../../support/service.ts';
import { list } from '../near-miss-records.ts';

export const DAY = 86_400_000;

export const companyOf = ({ company_id }: Client): string => `/rest/v1.0/companies/${company_id}`;

export const choose = async (admin: Client, retention: object): Promise<void> => {
  const answer = await admin.patch(`${companyOf(admin)}/retention`, { retention });
  expect(answer.status, answer.text).toBe(200);
};

export const preview = async (admin: Client, query = ''): Promise<RetentionPreview> => {
  const answer = await admin.get(`${companyOf(admin)}/retention/preview${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as RetentionPreview;
};

export const sweep = ({ service }: TestService): Promise<Swept> => service.app.retention.sweep();

/** An incident of this day. */
export const incidentOf = async (client: Client, event_date: string | null): Promise<number> => {
  const incident = { title: 'Scaffold of block C', event_date };
  const answer = await client.post('~/incidents', { incident });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id as number;
};

export const file = async (client: Client, near_miss: object): Promise<number> => {
  const answer = await client.post(list, { near_miss });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id as number;
};

export const hold = (admin: Client, id: number, reason = 'Claim of a visitor') =>
  admin.ask('PUT', `${list}/${id}/legal_hold`, { body: { legal_hold: { reason } } });

const TABLES = [
  'near_misses',
  'near_miss_history',
  'near_miss_attachments',
  'near_miss_comments',
  'uploads',
  'stored_files',
  'mails',
  'idempotency_keys',
  'tombstones',
  'legal_holds',
  'admin_acts',
] as const;

/** The rows of every table that holds something of a near miss, as text. */
export const stored = async ({ database }: TestService): Promise<string> => {
  const rows = await Promise.all(TABLES.map((table) => database.query(`select * from ${table}`)));
  return JSON.stringify(rows);
};
