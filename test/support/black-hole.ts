/**
 * An address that never answers. A process that listens on a port of ::1 is stopped and its backlog filled, so the kernel drops
 * every further connection silently, as a router with a dead IPv6 route does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const listener = (port: number): string =>
  `require('net').createServer().listen({port:${port},host:'::1',backlog:1},()=>process.send('on'))`;

const answers = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    const silent = setTimeout(() => resolve(false), 250);
    socket.once('connect', () => {
      clearTimeout(silent);
      resolve(true);
    });
  });

/** Makes [::1]:port a black hole until the returned function is called. */
export const blackHole = async (port: number): Promise<() => Promise<void>> => {
  const child = spawn(process.execPath, ['-e', listener(port)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  for (;;) {
    const socket = connect({ host: '::1', port });
    socket.on('error', () => undefined);
    sockets.push(socket);
    if (!(await answers(socket))) break;
    if (sockets.length > 100) throw new Error('the backlog does not fill');
  }
  return async () => {
    for (const socket of sockets) socket.destroy();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
};
