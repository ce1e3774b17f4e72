/**
 * B1: 64 photos of 4 MiB, and one file of 256 MiB, from the spool until the receipt of each is checked: sha256 and md5 of every segment at both ends, the bytes read
 * back. The peer is tus-js-client into @tus/server, which hashes, checks and reads back nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeers } from './install-peers.ts';
import { compare, pinSelf, type Side } from './machine.ts';
import { type Files, openOurs, openTus, type Sender } from './upload-sides.ts';

const MIB = 1024 * 1024;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const PHOTOS = Number(process.env['BENCH_PHOTOS'] ?? 64);
const SIZE = Number(process.env['BENCH_SIZE'] ?? 4 * MIB);
const LARGE = Number(process.env['BENCH_LARGE'] ?? 256 * MIB);
const OURS_ONLY = process.env['BENCH_OURS'] === '1';

const sideOf = (name: string, sender: Sender, files: Files): Side => ({
  name,
  round: async () => {
    const { ms, client_s, server_s } = await sender.send(files);
    const bytes = files.count * files.size;
    const each = (seconds: number) => ((seconds * 1e9) / bytes).toFixed(1);
    console.log(
      `    ${name}: client ${each(client_s)} s of processor a GB, server ${each(server_s)} s`,
    );
    return bytes / 1e6 / (ms / 1000);
  },
});

export const uploads = async (): Promise<void> => {
  if (!OURS_ONLY) installPeers();
  pinSelf(0);
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const senders: Sender[] = [await openOurs(folder)];
  try {
    if (!OURS_ONLY) senders.push(await openTus(folder, 0));
    const names = ['Spotter, every byte checked twice', 'tus-js-client -> @tus/server, unchecked'];
    for (const [name, files] of [
      ['uploads-photos', { count: PHOTOS, size: SIZE }],
      ['uploads-large', { count: 1, size: LARGE }],
    ] as const)
      await compare(
        name,
        'MB/s',
        ROUNDS,
        senders.map((sender, at) => sideOf(names[at] ?? '', sender, files)),
      );
  } finally {
    for (const sender of senders) await sender.end();
    rmSync(folder, { recursive: true, force: true });
  }
};
