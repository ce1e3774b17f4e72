/**
 * Reads the company policy once at startup: from the registry (group policy or Intune), a managed plist (configuration
 * profile), or a file on Linux. Only administrators can write there. Without a policy, nothing is fixed.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { NO_POLICY, parsePolicy, type PolicyView } from '../contract/policy.ts';
import { fail, type Result } from '../contract/problem.ts';
import { normaliseAddress } from './http/address.ts';

export const POLICY_PLACES = {
  win32: 'HKLM\\Software\\Policies\\Spotter',
  darwin: '/Library/Managed Preferences/app.spotter.desktop.plist',
  linux: '/etc/spotter/policy.json',
} as const;

/** Parses `reg query` output: one line per value, `    Server    REG_SZ    https://…`. Numbers appear as 0x0. */
export function parseRegistry(said: string): Record<string, unknown> {
  const lines = said.matchAll(/^ {4}(\S.*?) {4}REG_(SZ|EXPAND_SZ|DWORD|QWORD) {4}(.*?)\r?$/gm);
  return Object.fromEntries(
    [...lines].map(([, name, type, value]) => [
      name,
      type?.endsWith('WORD') ? Number(value) : value,
    ]),
  );
}

/** Runs a program and returns its output. Null on failure, which both tools report if there is no policy. */
const said = (program: string, args: readonly string[]): Promise<string | null> =>
  promisify(execFile)(program, [...args], { windowsHide: true, timeout: 10_000 }).then(
    ({ stdout }) => stdout,
    () => null,
  );

const readText = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: unknown) =>
    (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : '',
  );

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Normalizes the server's address for comparison. Ignores an address that Spotter would refuse. */
const withAddress = (policy: PolicyView): PolicyView => {
  if (policy.server === null) return policy;
  const address = normaliseAddress(policy.server);
  return address.ok
    ? { ...policy, server: address.value }
    : { ...policy, server: null, ignored: [...policy.ignored, 'Server'] };
};

/** @param text output of the registry tool, or JSON; null if there is no policy */
export function policyOf(
  text: string | null,
  platform: NodeJS.Platform,
  place: string,
): PolicyView {
  if (text === null) return NO_POLICY;
  const found = platform === 'win32' ? parseRegistry(text) : parseJson(text);
  return withAddress(parsePolicy(found, place));
}

/** @param place overrides the system's location, for tests */
export async function readPolicy(
  platform: NodeJS.Platform = process.platform,
  place: string = POLICY_PLACES[platform as 'linux'] ?? POLICY_PLACES.linux,
): Promise<PolicyView> {
  const text =
    platform === 'win32'
      ? await said('reg', ['query', place])
      : platform === 'darwin'
        ? await said('/usr/bin/plutil', ['-convert', 'json', '-o', '-', place])
        : await readText(place);
  return policyOf(text, platform, place);
}

/**
 * Refuses a server other than the policy's. The server already in use stays allowed, because its queue can go nowhere else.
 *
 * @param used the address in use
 */
export function refuseOtherServer(
  { server }: PolicyView,
  address: string,
  used: string | null,
): Result<never> | null {
  const wanted = normaliseAddress(address);
  if (server === null || !wanted.ok || wanted.value === server || wanted.value === used)
    return null;
  const message = 'The company that manages this computer has set the server.';
  return fail({
    kind: 'bad_input',
    messages: [message],
    fields: { address: [message] },
    fault: 'address_policy',
  });
}
