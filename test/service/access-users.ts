/** Users for tests of access: added, set up by a code and changed through real requests (decisions §12.4, §12.5). */
import { expect } from 'vitest';
import { clientOf, type Client, type TestService } from '../support/service.ts';

export const ME = '/rest/v1.0/me';
export const TOKENS = `${ME}/tokens`;
export const LIST = '~/incidents/near_misses';

export const companyPath = ({ company_id }: Client): string => `/rest/v1.0/companies/${company_id}`;

export const statusOf = async (client: Client): Promise<number> => (await client.get(ME)).status;

export interface AddedUser extends Client {
  readonly id: number;
  readonly login: string;
  readonly name: string;
}

/** @param service is asked at each call, because the service starts after the tests are declared */
export const accessUsers = (service: () => TestService) => {
  let count = 0;

  const codeFor = async (user_id: number, by: Client = service().demo): Promise<string> => {
    const body = { enrolment_code: { user_id } };
    const made = await by.post(`${companyPath(by)}/enrolment_codes`, body);
    expect([made.status, made.text]).toEqual([201, made.text]);
    return made.json.code as string;
  };

  const exchange = (code: string, name?: string) =>
    fetch(`${service().url}/rest/v1.0/enrolments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enrolment: { code, ...(name === undefined ? {} : { name }) } }),
    });

  const enrol = async (user_id: number, by: Client = service().demo): Promise<Client> => {
    const answer = await exchange(await codeFor(user_id, by));
    expect(answer.status).toBe(201);
    const { token } = (await answer.json()) as { token: string };
    return clientOf(service().url, { ...by, token });
  };

  /** A new user of the demo company, set up by a code. */
  const addUser = async (more: Readonly<Record<string, unknown>> = {}): Promise<AddedUser> => {
    count += 1;
    const { demo } = service();
    const user = { login: `user${count}@example.com`, name: `User ${count}`, ...more };
    const made = await demo.post(`${companyPath(demo)}/users`, { user });
    expect([made.status, made.text]).toEqual([201, made.text]);
    return { ...(await enrol(made.json.id as number)), id: made.json.id as number, ...user };
  };

  /** Adds the user with this login to the company of `by`, as an admin does who knows nothing else of the user. */
  const addLogin = async (by: Client, login: string, level = 'standard'): Promise<number> => {
    const made = await by.post(`${companyPath(by)}/users`, { user: { login, level } });
    expect([made.status, made.text]).toEqual([201, made.text]);
    return made.json.id as number;
  };

  const change = (id: number, user: object, by: Client = service().demo) =>
    by.patch(`${companyPath(by)}/users/${id}`, { user });

  return { codeFor, exchange, enrol, addUser, addLogin, change };
};
