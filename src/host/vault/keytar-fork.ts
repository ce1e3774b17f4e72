/** Runs the keychain's child as a plain Node process. A separate file because Electron starts it differently. */
import { fork } from 'node:child_process';
import { ownProgram } from '../../disk/own-program.ts';
import type { VaultChild } from './keytar.ts';
import type { KeytarAnswer } from './keytar-child.ts';

/** Starts a child that does not keep the program running. */
export const forkVaultChild = (): VaultChild => {
  const child = fork(ownProgram('keytar-child', import.meta.url), [], {
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
