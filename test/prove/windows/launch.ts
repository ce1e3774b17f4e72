/**
 * Runs on Node for Windows: starts a second Node with Windows pipes as input and output, and carries both over one loopback
 * connection. A Linux pipe that Wine passes on is no named pipe, and libuv refuses it ("open EBADF"). Errors go to this
 * program's stderr, a file.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

const [port, ...args] = process.argv.slice(2);
const line = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
const child = spawn(process.execPath, args, { stdio: 'pipe' });
line.pipe(child.stdin);
child.stdout.pipe(line);
child.stderr.pipe(process.stderr);
// The program ended before it had read everything.
child.stdin.on('error', () => undefined);
// The parent has exited.
line.on('error', () => child.kill());
child.on('close', (code) => (process.exitCode = code ?? 1));
