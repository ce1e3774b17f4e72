/**
 * Runs on Windows' Node: starts another Windows' Node whose input and output are pipes of Windows, and carries both over one connection on
 * loopback. A pipe of Linux that Wine hands to a program is no named pipe to it, and libuv refuses that ("open EBADF"). What
 * goes wrong is written to this program's own stderr, a file.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

const [port, ...args] = process.argv.slice(2);
const line = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
const child = spawn(process.execPath, args, { stdio: 'pipe' });
line.pipe(child.stdin);
child.stdout.pipe(line);
child.stderr.pipe(process.stderr);
// The program ended before it had read all.
child.stdin.on('error', () => undefined);
// Whoever started this has gone.
line.on('error', () => child.kill());
child.on('close', (code) => (process.exitCode = code ?? 1));
