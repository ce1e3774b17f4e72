/**
 * Report of `spotter --self-test FILE`: one JSON object with the versions and one result per check, so that users can report on
 * laptops that the developers have never seen. The window runs the checks that need a window and reports each result; the shell
 * runs the rest.
 */
import { z } from 'zod';

/** In the order in which the window runs them. */
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

/** `not here`: the machine lacks the tested part (a camera, a keychain); the program is not at fault. */
const answer = {
  result: z.enum(['pass', 'fail', 'not here']),
  sentence: z.string().min(1).max(1000),
  /** Measurements; each name includes its unit. */
  numbers: z.record(z.string().max(100), z.number()).optional(),
};

export const windowAnswer = z.object({ name: windowCheck, ...answer });
export type WindowAnswer = z.infer<typeof windowAnswer>;

const selfTestCheck = z.object({
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
    /** The operating system's version number. */
    system: z.string(),
    /** True for an installed or unpacked package, false when run from sources. */
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
