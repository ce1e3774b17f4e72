/**
 * Real keyrings for tests on a machine without a display. A command runs inside a private D-Bus session, with a private HOME
 * and XDG_RUNTIME_DIR and a gnome-keyring daemon in the wanted state. The daemon ends with the command.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';

/**
 * unlocked: created with the password on first use. locked: a daemon without a password. wrong_password: a daemon with a
 * different password. hung: unlocked, then SIGSTOP. absent: a bus without a secrets service. no_bus: not even a bus.
 */
export type KeyringState = 'unlocked' | 'locked' | 'wrong_password' | 'hung' | 'absent' | 'no_bus';

const programs = ['gnome-keyring-daemon', 'dbus-run-session', 'dbus-send'];

/** A sentence naming what this machine lacks for a real keyring; null if nothing is missing. */
export const keyringMissing = (): string | null => {
  if (process.platform !== 'linux') return 'needs Linux: gnome-keyring is what is tested here';
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter((name) => !folders.some((one) => existsSync(join(one, name))));
  const libsecret = execFileSync('/bin/sh', ['-c', '/sbin/ldconfig -p 2>/dev/null || true'], {
    encoding: 'utf8',
  });
  if (!libsecret.includes('libsecret-1.so')) missing.push('libsecret-1-0');
  return missing.length === 0
    ? null
    : `needs ${missing.join(', ')} (Debian: gnome-keyring, dbus, libsecret-1-0)`;
};

/** Waits until the daemon owns its name, so that the bus does not activate a second one. */
const wait = `
n=0
until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner string:org.freedesktop.secrets >/dev/null 2>&1
do n=$((n+1)); [ $n -gt 100 ] && exit 97; sleep 0.05; done`;
/** Waits for the daemon to exit: it removes its folder, and a test that searches the files must not race with that. */
const end = `export daemon
trap 'kill -CONT $daemon 2>/dev/null; kill $daemon 2>/dev/null; wait $daemon' EXIT`;
const unlock = (password: string): string =>
  `printf '%s\\n' '${password}' | gnome-keyring-daemon --unlock --foreground --components=secrets >/dev/null 2>&1 &
daemon=$!
${end}${wait}`;

const scripts: Readonly<Record<KeyringState, string>> = {
  unlocked: `${unlock('right')}\n"$@"`,
  wrong_password: `${unlock('wrong')}\n"$@"`,
  hung: `${unlock('right')}\nkill -STOP $daemon\n"$@"`,
  locked: `gnome-keyring-daemon --start --foreground --components=secrets >/dev/null 2>&1 &
daemon=$!
${end}${wait}\n"$@"`,
  absent: '"$@"',
  no_bus: '"$@"',
};

/** A bus that cannot activate services. */
const bareBus = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

/**
 * How to start `command` with a keyring in this state. `home` is a folder owned by the test; later states find the keyring that
 * `unlocked` created there.
 */
export const besideKeyring = (
  state: KeyringState,
  home: string,
  command: readonly string[],
): { readonly file: string; readonly args: string[]; readonly env: NodeJS.ProcessEnv } => {
  const runtime = join(home, 'run');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  mkdirSync(join(home, '.local/share/keyrings'), { recursive: true, mode: 0o700 });
  // Without a default keyring the daemon would ask on a display to create one.
  writeFileSync(join(home, '.local/share/keyrings/default'), 'login');
  const config = join(home, 'bare-bus.conf');
  writeFileSync(config, bareBus);
  // Without a compile cache a host takes three times as much CPU to start.
  const { PATH, LANG, NODE_COMPILE_CACHE } = process.env;
  const env: NodeJS.ProcessEnv = {
    PATH,
    LANG,
    NODE_COMPILE_CACHE,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
  };
  const shell = ['sh', '-c', scripts[state], 'sh', ...command];
  if (state === 'no_bus') return { file: 'sh', args: shell.slice(1), env };
  const bus = state === 'absent' ? [`--config-file=${config}`] : [];
  return { file: 'dbus-run-session', args: [...bus, '--', ...shell], env };
};
