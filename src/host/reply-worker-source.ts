/** Where reply-worker.ts is while the sources run as they are. A file of its own: Electron's bundle has no such source. */
export const REPLY_WORKER = new URL('./reply-worker.ts', import.meta.url);
