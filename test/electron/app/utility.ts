/**
 * Runs first in a utility process: provides `process.parentPort` over the fork's channel and removes what a forked Node process
 * has but a utility process has not (docs/api/utility-process.md, docs/api/parent-port.md).
 */
import { EventEmitter } from 'node:events';

const send = process.send?.bind(process);
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown): void => {
    send?.(structuredClone(message), undefined, {}, () => undefined);
  },
});
// docs/api/parent-port.md, message: `{data, ports}`.
process.on('message', (data) => port.emit('message', { data, ports: [] }));
// Without the browser process mojo's pipe breaks, and the process ends.
process.on('disconnect', () => process.exit(0));
// A utility process lives until it exits or is killed, even with nothing to do.
setInterval(() => undefined, 2 ** 30);

Object.defineProperty(process, 'parentPort', { value: port, enumerable: true });
Object.defineProperty(process, 'type', { value: 'utility', enumerable: true });
Object.defineProperty(process, 'versions', {
  value: Object.freeze({ ...process.versions, electron: '44.11.4' }),
  enumerable: true,
});
delete process.send;
