/**
 * Changes a record that others may change too (outbox promise 5): reads the server's copy, then writes. If somebody
 * else changed a field to be written, nothing is overwritten and the person is asked. `If-Match` closes the gap between
 * read and write.
 */
import { ulid } from 'ulid';
import { fail, type Result } from '../../../contract/problem.ts';
import { believeRecord } from './believe-record.ts';
import type { SendContext } from './handler.ts';

/** Checkpoint fields: the key in use, and the server's values of conflicting fields. */
interface LookNotes {
  readonly key?: string | undefined;
  readonly theirs?: Readonly<Record<string, unknown>> | undefined;
  readonly contradicted?: number | undefined;
}

interface Seen<T> {
  readonly data: T;
  readonly etag: string | null;
}

interface Under {
  readonly idempotency_key: string;
  readonly if_match?: string;
}

/** How often to read again if the record changes between read and write. */
const LOOKS = 3;

/** @param wants.disputed the server's values of fields that somebody else changed to something other than our value */
export const lookThenWrite = async <T extends { readonly id: number }>(
  context: SendContext<LookNotes>,
  wants: {
    look(): Promise<Result<Seen<T>>>;
    disputed(server: T): Readonly<Record<string, unknown>>;
    write(under: Under): Promise<Result<{ readonly data: T }>>;
    /** The fields that the answer must not contradict. */
    readonly sent: Readonly<Record<string, unknown>>;
  },
): Promise<Result<T>> => {
  const { operation, checkpoint } = context;
  let key = operation.checkpoint.key ?? operation.id;
  for (let looks = 1; ; looks += 1) {
    const shown = await wants.look();
    if (!shown.ok) return shown;
    const theirs = wants.disputed(shown.value.data);
    if (Object.keys(theirs).length > 0) {
      await checkpoint({ theirs });
      return fail({ kind: 'conflict', status: 409, messages: [] });
    }
    const { etag } = shown.value;
    const under = { idempotency_key: key };
    const answer = await wants.write(etag === null ? under : { ...under, if_match: etag });
    if (answer.ok) return believeRecord(context, wants.sent, answer.value.data);
    if (answer.problem.kind !== 'conflict' || looks >= LOOKS) return answer;
    // Changed between read and write. The write was not executed, and a server may keep the refusal under its key.
    key = ulid();
    await checkpoint({ key });
  }
};
