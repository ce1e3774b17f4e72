/** The keychain's child as a plain Node process, from its source. A file of its own: Electron's bundle has no such source. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { VaultChild } from './keytar.ts';
import type { KeytarAnswer } from './keytar-child.ts';

/** It does not keep the program running. */
export const forkVaultChild = (): VaultChild => {
  const child = fork(fileURLToPath(new URL('./keytar-child.ts', import.meta.url)), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return {
    send: (call) => void child.send(call, () => undefined),
    onAnswer: (hear) => void child.on('message', (answer: KeytarAnswer) => hear(answer)),
    onExit: (hear) => {
      child.on('exit', hear);
      child.on('error', hear);
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
