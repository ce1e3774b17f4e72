/** The peers in the same Chromium, used as their documentation shows. */
import PouchDB from 'pouchdb';

// Workbox expects a service worker's globals, although its queue needs only fetch and IndexedDB.
globalThis.registration ??= {};
const { Queue } = await import('workbox-background-sync');

const record = (n) => ({
  incident_id: 1 + (n % 3),
  harm_source_id: 1 + (n % 5),
  description: `<p>Bench record ${n}. A plank slid off the scaffold at level ${n % 9}, nobody was below. The toe board was missing since the morning; the gang was told and the stair is closed.</p>`,
});

/** One request per record in sequence, removed from IndexedDB as each is answered. Milliseconds. */
const workbox = async (name, count) => {
  const queue = new Queue(name, { forceSyncFallback: true, onSync: async () => {} });
  for (let n = 0; n < count; n += 1)
    await queue.pushRequest({
      request: new Request('/near_misses', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `${name}-${n}` },
        body: JSON.stringify({ near_miss: record(n) }),
      }),
    });
  const began = performance.now();
  await queue.replayRequests();
  const ms = performance.now() - began;
  if ((await queue.size()) > 0) throw new Error('not empty');
  return ms;
};

/** Default replication in batches of 100. Milliseconds. */
const pouch = async (name, count) => {
  const local = new PouchDB(name, { auto_compaction: false });
  await local.bulkDocs(
    Array.from({ length: count }, (_, n) => ({ _id: `${name}-${n}`, ...record(n) })),
  );
  const began = performance.now();
  const done = await local.replicate.to(new PouchDB(`${location.origin}/db/${name}`));
  const ms = performance.now() - began;
  if (done.docs_written !== count) throw new Error(`${done.docs_written} of ${count}`);
  await local.destroy();
  return ms;
};

globalThis.bench = { workbox, pouch };
