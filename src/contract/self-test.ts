/**
 * What `spotter --self-test FILE` writes: one JSON object with the versions and one answer for each check, so that a laptop that none of
 * its makers has seen can be told about in a file. The window does what needs a window and tells each answer; the shell does the rest.
 */
import { z } from 'zod';

/** In the order in which the window does them. */
export const windowCheck = z.enum([
  'window',
  'secure',
  'web_locks',
  'broadcast_channel',
  'module_worker',
  'fonts',
  'heic',
  'camera',
  'clipboard',
  'ipc_round_trip',
  'ipc_bytes',
  'delivery',
  'policy',
]);
export type WindowCheck = z.infer<typeof windowCheck>;

export const shellCheck = z.enum([
  'start',
  'service',
  'keychain',
  'database_place',
  'network',
  'stop',
]);

/** `not here`: this machine has not got what is looked for (a camera, a keychain); nothing is wrong with the program. */
const answer = {
  result: z.enum(['pass', 'fail', 'not here']),
  sentence: z.string().min(1).max(1000),
  /** What was measured, its unit in its name. */
  numbers: z.record(z.string().max(100), z.number()).optional(),
};

export const windowAnswer = z.object({ name: windowCheck, ...answer });
export type WindowAnswer = z.infer<typeof windowAnswer>;

export const selfTestCheck = z.object({
  name: z.union([windowCheck, shellCheck]),
  ...answer,
});
export type SelfTestCheck = z.infer<typeof selfTestCheck>;
export type Answer = Omit<SelfTestCheck, 'name'>;

const names = [...shellCheck.options, ...windowCheck.options];

export const selfTestReport = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  versions: z.object({
    spotter: z.string(),
    electron: z.string(),
    chromium: z.string(),
    node: z.string(),
    /** As Node names them. */
    platform: z.string(),
    arch: z.string(),
    /** The system's own number of its version. */
    system: z.string(),
    /** An installed or unpacked package; false: from the sources. */
    packaged: z.boolean(),
  }),
  checks: z
    .array(selfTestCheck)
    .refine(
      (checks) =>
        checks.length === names.length &&
        names.every((name) => checks.some((one) => one.name === name)),
      'every check once',
    ),
});
export type SelfTestReport = z.infer<typeof selfTestReport>;
