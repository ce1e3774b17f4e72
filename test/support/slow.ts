/** Tests that `npm test` leaves out. */
import { it, type TestContext, type TestOptions } from 'vitest';

type Body = (context: TestContext) => unknown;

/**
 * `it` for a test that takes more than a few seconds, while quicker tests or a journey show the core of its promise. `npm run test:all` runs it.
 */
export const slow = (
  title: string,
  ...rest: readonly [Body] | readonly [TestOptions, Body]
): void => {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
  it(title, { ...options, tags: 'slow' }, body);
};
