/**
 * A keyring for a whole test: a private bus and gnome-keyring outlive every host that the test starts and kills, as a desktop
 * session outlives its programs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { besideKeyring, type KeyringState } from './keyring.ts';

export interface KeyringSession {
  /** Environment that leads a program to this keyring and no other. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder of the keyring's files. */
  readonly home: string;
  /** Lets a `hung` keyring answer, as if the user had answered the system's question. */
  answer(): void;
  /** Ends the keyring and keeps its files for another session on the same `home`. */
  pause(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts a keyring in this state (default: unlocked); it runs until `end`. `home`: files of an earlier session, which are kept.
 * @throws with the output if it does not start
 */
export const startKeyringSession = async (
  state: KeyringState = 'unlocked',
  given?: string,
): Promise<KeyringSession> => {
  const home = given ?? (await mkdtemp(join(tmpdir(), 'spotter-keyring-')));
  const say = ['sh', '-c', 'echo "bus=$DBUS_SESSION_BUS_ADDRESS $daemon"; cat >/dev/null'];
  const { file, args, env } = besideKeyring(state, home, say);
  const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [bus = '', daemon] = await new Promise<string[]>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('bus=')) resolve(line.slice(4).split(' '));
    });
    void ended.then(([code]) => reject(new Error(`no keyring (${String(code)}): ${said}`)));
  });
  return {
    home,
    env: {
      DBUS_SESSION_BUS_ADDRESS: bus,
      HOME: home,
      XDG_RUNTIME_DIR: env['XDG_RUNTIME_DIR'] ?? '',
    },
    answer: () => {
      if (daemon === undefined) throw new Error('there is no keyring to answer');
      process.kill(Number(daemon), 'SIGCONT');
    },
    pause: async () => {
      child.stdin.end();
      await ended;
    },
    end: async () => {
      child.stdin.end();
      await ended;
      if (given === undefined) await rm(home, { recursive: true, force: true });
    },
  };
};
