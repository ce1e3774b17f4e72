/**
 * Checks and dispatches every call of the window. The window is untrusted, so each call is measured and parsed before its
 * method runs. Refusals are logged without the input's content (failures A30). The dispatcher never throws.
 */
import type { CarrierReply } from '../contract/carrier.ts';
import { CHUNK_MAX, hostMethods, type HostMethod } from '../contract/host.ts';
import { fail, fieldsOf, ok, type Result } from '../contract/problem.ts';
import { wordsOf, type Log } from './lib/log.ts';
import { badInput, type Methods } from './methods.ts';

/**
 * Maximum size of an input, in characters. Fits 200 journal entries, each with a long description. Every value counts as one
 * character more.
 */
const INPUT_MAX = 32 * 1024 * 1024;
/** Maximum nesting depth of an input. `sizeOf` recurses to this depth. */
const DEPTH_MAX = 500;

const isMethod = (name: string): name is HostMethod => Object.hasOwn(hostMethods, name);

const isRecord = (value: object): value is Readonly<Record<string, unknown>> => {
  const above: unknown = Object.getPrototypeOf(value);
  return above === Object.prototype || above === null;
};

/**
 * Counts the characters of plain data without serializing it. Stops early above INPUT_MAX. Returns `NaN` if the value is not
 * plain data.
 */
const sizeOf = (value: unknown, depth = 0): number => {
  if (typeof value === 'string') return 1 + value.length;
  if (value === undefined || value === null) return 1;
  if (typeof value === 'number' || typeof value === 'boolean') return 1;
  if (typeof value !== 'object' || depth > DEPTH_MAX) return Number.NaN;
  let size = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size <= INPUT_MAX; at += 1)
      size += sizeOf(value[at], depth + 1);
    return size;
  }
  if (!isRecord(value)) return Number.NaN;
  for (const name in value) {
    if (!(size <= INPUT_MAX)) break;
    size += name.length + sizeOf(value[name], depth + 1);
  }
  return size;
};

const measure = (input: unknown): Result<null> => {
  const size = sizeOf(input);
  if (Number.isNaN(size)) return badInput('The input is no plain data.');
  return size > INPUT_MAX
    ? badInput(`The input is larger than ${INPUT_MAX} characters.`)
    : ok(null);
};

const checkBytes = (method: HostMethod, bytes: Uint8Array | undefined): Result<Uint8Array> => {
  const takes = hostMethods[method].bytes === 'in';
  if (!takes)
    return bytes === undefined ? ok(new Uint8Array()) : badInput(`${method} takes no bytes.`);
  if (!(bytes instanceof Uint8Array)) return badInput(`${method} needs bytes.`);
  return bytes.byteLength > CHUNK_MAX
    ? badInput(`${method} takes at most ${CHUNK_MAX} bytes.`)
    : ok(bytes);
};

const parse = (method: HostMethod, input: unknown): Result<unknown> => {
  const measured = measure(input);
  if (!measured.ok) return measured;
  const judged = hostMethods[method].input.safeParse(input ?? {});
  if (judged.success) return ok(judged.data);
  const fields = fieldsOf(judged.error);
  const messages = Object.entries(fields).map(([name, texts]) => `${name}: ${texts[0]}`);
  return fail({ kind: 'bad_input', messages, fields });
};

type AnyMethod = (input: unknown, bytes: Uint8Array) => Promise<Result<unknown>>;
interface WithBytes {
  readonly output: unknown;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const createDoor = (methods: Methods, log: Log) => {
  const refused = (method: string, result: Result<unknown>): CarrierReply => {
    log({ level: 'warn', message: 'refused a call of the window', method: method.slice(0, 60) });
    return { result };
  };

  return async (method: string, input: unknown, bytes?: Uint8Array): Promise<CarrierReply> => {
    const name = String(method);
    try {
      if (!isMethod(name))
        return refused(name, badInput(`There is no method "${name.slice(0, 60)}".`));
      const parsed = parse(name, input);
      if (!parsed.ok) return refused(name, parsed);
      const given = checkBytes(name, bytes);
      if (!given.ok) return refused(name, given);
      const run = methods[name] as AnyMethod; // safe: `parse` validated the input against this method's schema
      const result = await run(parsed.value, given.value);
      if (!result.ok || hostMethods[name].bytes !== 'out') return { result };
      const answer = result.value as WithBytes;
      return { result: ok(answer.output), bytes: answer.bytes };
    } catch (error) {
      const detail = wordsOf(error);
      log({
        level: 'error',
        message: 'a bug, caught at the door',
        method: name.slice(0, 60),
        detail,
      });
      return { result: fail({ kind: 'bug', detail }) };
    }
  };
};
