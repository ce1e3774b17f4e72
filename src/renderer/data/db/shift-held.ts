/**
 * Taking over the shift of a project, which lets a standard user answer every report of it (decisions §12.3). When it ends is kept on
 * this laptop, so that it is known offline. Who took it over on another laptop may take it over here as well.
 */
import { ulid } from 'ulid';
import type { Result } from '../../../contract/problem.ts';
import type { Deps } from './db.ts';

interface Place {
  readonly account: string;
  readonly project_id: number;
}

const nameOf = ({ account, project_id }: Place): string => `shift ${project_id} ${account}`;

/** liveQuery: when the shift that the user took over here ends, in milliseconds since the epoch; 0 if none was. */
export async function shiftEndOf({ db }: Pick<Deps, 'db'>, place: Place): Promise<number> {
  const kept = (await db.meta.get(nameOf(place)))?.value;
  return typeof kept === 'number' ? kept : 0;
}

/** Takes the shift over, online only. @returns when it ends, in milliseconds since the epoch */
export async function takeOverShift(
  { db, host }: Pick<Deps, 'db' | 'host'>,
  place: Place,
): Promise<Result<number>> {
  const { account, project_id } = place;
  const answer = await host.request(
    'shifts.create',
    { params: { project_id }, idempotency_key: ulid() },
    account,
  );
  if (!answer.ok) return answer;
  const value = Date.parse(answer.value.data.ends_at);
  await db.meta.put({ name: nameOf(place), value });
  return { ok: true, value };
}
