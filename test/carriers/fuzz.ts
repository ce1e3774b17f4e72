/**
 * Hostile messages through both carriers: whatever comes, the answer is a `Result` as data, a call of a wrong frame is never executed, and
 * no promise is left rejected. The short form is in fuzz.test.ts, the full one in `npm run prove -- carriers`.
 */
import fc from 'fast-check';
import { carriedResult } from '../../src/contract/carrier.ts';
import { CALL_CHANNEL } from '../../src/contract/channels.ts';
import { hostMethods } from '../../src/contract/host.ts';
import { ORIGIN } from '../../src/main/window/security.ts';
import { browserPair, electronPair } from './pairs.ts';

export interface Fuzzed {
  readonly runs: number;
  readonly failures: readonly string[];
}

const method = fc.oneof(
  fc.constantFrom(...Object.keys(hostMethods)),
  fc.constantFrom('', '__proto__', 'constructor', 'toString', 'x'.repeat(100_000)),
  fc.string(),
);
const bytes = fc.option(fc.uint8Array({ maxLength: 200 }), { nil: undefined });
const input = fc.oneof(fc.jsonValue(), fc.object({ maxDepth: 4 }), fc.constant({}));

const frames = [
  { url: `${ORIGIN}/index.html`, parent: null },
  { url: `${ORIGIN}/index.html`, parent: {} },
  { url: `${ORIGIN}.evil/`, parent: null },
  { url: 'https://evil.example/', parent: null },
  { url: 'about:srcdoc', parent: null },
  null,
] as const;

/** Counts rejections that nobody heard while `work` runs. */
const watched = async (work: (failures: string[]) => Promise<number>): Promise<Fuzzed> => {
  const failures: string[] = [];
  const hear = (reason: unknown): void =>
    void failures.push(`a rejection nobody heard: ${String(reason)}`);
  process.on('unhandledRejection', hear);
  try {
    const runs = await work(failures);
    await new Promise((resolve) => setImmediate(resolve));
    return { runs, failures };
  } finally {
    process.off('unhandledRejection', hear);
  }
};

const isResult = (reply: unknown): boolean =>
  carriedResult.safeParse((reply as { result?: unknown } | null)?.result).success;

export const fuzzElectron = (runs: number, seed: number): Promise<Fuzzed> =>
  watched(async (failures) => {
    let frame: (typeof frames)[number] = frames[0];
    const pair = await electronPair(() => frame as never);
    const messages = fc.tuple(
      fc.constantFrom(...frames),
      fc.oneof(fc.tuple(method, input, bytes), fc.array(fc.anything(), { maxLength: 5 })),
    );
    for (const [from, args] of fc.sample(messages, { numRuns: runs, seed })) {
      frame = from;
      const before = pair.door.heard.length;
      const reply = await pair.renderer
        .invoke(CALL_CHANNEL, ...args)
        // What cannot be cloned never leaves the window.
        .catch((error: unknown) => (/could not be cloned/.test(String(error)) ? 'kept' : error));
      if (reply !== 'kept' && !isResult(reply)) failures.push(`no result: ${String(reply)}`);
      if (from !== frames[0] && pair.door.heard.length > before)
        failures.push(`a call of the frame ${JSON.stringify(from)} was executed`);
      pair.door.heard.length = 0;
    }
    await pair.stop();
    return runs;
  });

const AT_ONCE = 8;

export const fuzzBrowser = (runs: number, seed: number): Promise<Fuzzed> =>
  watched(async (failures) => {
    const pair = await browserPair();
    const messages = fc.sample(fc.tuple(method, input, bytes), { numRuns: runs, seed });
    const sender = async (): Promise<void> => {
      for (let one = messages.pop(); one !== undefined; one = messages.pop()) {
        const [name, given, more] = one;
        const reply = await pair.carrier
          .call(name, given, more as Uint8Array<ArrayBuffer> | undefined)
          .catch((error: unknown) => error);
        if (!isResult(reply)) failures.push(`no result for ${name.slice(0, 40)}: ${String(reply)}`);
        pair.door.heard.length = 0;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    await pair.stop();
    return runs;
  });
