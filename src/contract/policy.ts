/**
 * A company's policy for Spotter on its computers; it overrides the user's settings. One schema serves every system's policy
 * source (host/policy.ts). An unreadable value is skipped and named; the others apply.
 */
import { z } from 'zod';

/** The Windows registry has no booleans, only numbers. */
const flag = z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean);

/** The keys are the names that administrators write in a policy. */
const policyFields = {
  Server: z.string().trim().min(1).max(2000),
  Updates: flag,
  StartWithSystem: flag,
  SystemNetwork: flag,
} as const;

export const policyView = z.object({
  /** The only server that Spotter may connect to besides this laptop; null: any server. */
  server: z.string().nullable(),
  /** True if Spotter may look for newer versions; null: the build's default. */
  updates: z.boolean().nullable(),
  /** null: the user's setting applies. */
  start_with_system: z.boolean().nullable(),
  /**
   * True if every request to another machine goes through the system's network stack; otherwise only requests that fail
   * through Node's.
   */
  system_network: z.boolean().nullable(),
  /** Names of values that could not be read; the path if a whole file could not be read. */
  ignored: z.array(z.string().max(300)).max(50),
});
export type PolicyView = z.infer<typeof policyView>;

export const NO_POLICY: PolicyView = {
  server: null,
  updates: null,
  start_with_system: null,
  system_network: null,
  ignored: [],
};

/**
 * Reads a policy. @param found names and values from a system's policy source @param from the source, reported if it holds no set
 * of names
 */
export function parsePolicy(found: unknown, from: string): PolicyView {
  const all = z.record(z.string(), z.unknown()).safeParse(found);
  if (!all.success) return { ...NO_POLICY, ignored: [from] };
  const ignored = Object.keys(all.data).filter((name) => !Object.hasOwn(policyFields, name));
  const read = <T extends z.ZodType>(name: keyof typeof policyFields, field: T) => {
    const value = all.data[name];
    if (value === undefined) return null;
    const parsed = field.safeParse(value);
    if (!parsed.success) ignored.push(name);
    return parsed.success ? parsed.data : null;
  };
  const policy = {
    server: read('Server', policyFields.Server),
    updates: read('Updates', policyFields.Updates),
    start_with_system: read('StartWithSystem', policyFields.StartWithSystem),
    system_network: read('SystemNetwork', policyFields.SystemNetwork),
  };
  return { ...policy, ignored: ignored.map((name) => name.slice(0, 300)).slice(0, 50) };
}
