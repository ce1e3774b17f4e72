/**
 * B1: 64 photos of 4 MiB, and one file of 256 MiB, from the spool until each receipt is verified: sha256 and md5 of every
 * segment at both ends, the bytes read back; and the photos again over a line of 1 Gbit/s each way. The peers are tus-js-client
 * into @tus/server, which hashes and verifies nothing, and the AWS SDK into s3rver, a server for tests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeers } from './install-peers.ts';
import { compare, pinSelf, type Side } from './machine.ts';
import { startCutter } from './processes.ts';
import { type Files, openOurs, openSdk, openTus, type Sender } from './upload-sides.ts';

const MIB = 1024 * 1024;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const PHOTOS = Number(process.env['BENCH_PHOTOS'] ?? 64);
const SIZE = Number(process.env['BENCH_SIZE'] ?? 4 * MIB);
const LARGE = Number(process.env['BENCH_LARGE'] ?? 256 * MIB);
const OURS_ONLY = process.env['BENCH_OURS'] === '1';

/** Bytes per second of a line of 1 Gbit/s. */
const GIGABIT = 125_000_000;
/** This line is never cut, ms. */
const NEVER = 2 ** 31 - 1;

const measures = [
  { name: 'uploads-photos', files: { count: PHOTOS, size: SIZE }, rate: 0 },
  { name: 'uploads-large', files: { count: 1, size: LARGE }, rate: 0 },
  { name: 'uploads-gigabit', files: { count: PHOTOS, size: SIZE }, rate: GIGABIT },
] as const;

const sideOf = (name: string, sender: Sender, files: Files, port: number): Side => ({
  name,
  round: async () => {
    const { ms, client_s, server_s } = await sender.send(files, port);
    const bytes = files.count * files.size;
    const each = (seconds: number) => ((seconds * 1e9) / bytes).toFixed(1);
    console.log(
      `    ${name}: client ${each(client_s)} s of processor a GB, server ${each(server_s)} s`,
    );
    return bytes / 1e6 / (ms / 1000);
  },
});

/** Each sender over its own line, or directly. */
const measure = async (
  { name, files, rate }: (typeof measures)[number],
  senders: ReadonlyMap<string, Sender>,
): Promise<void> => {
  const lines: Awaited<ReturnType<typeof startCutter>>[] = [];
  const portOf = async (port: number): Promise<number> => {
    if (rate === 0) return port;
    const line = await startCutter(port, NEVER, rate);
    lines.push(line);
    return line.first.port;
  };
  try {
    const sides: Side[] = [];
    for (const [side, sender] of senders)
      sides.push(sideOf(side, sender, files, await portOf(sender.port)));
    await compare(name, 'MB/s', ROUNDS, sides);
  } finally {
    for (const line of lines) await line.end();
  }
};

export const uploads = async (): Promise<void> => {
  if (!OURS_ONLY) installPeers();
  pinSelf(0);
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const senders = new Map([['Spotter, every byte checked twice', await openOurs(folder)]]);
  try {
    if (!OURS_ONLY) {
      senders.set('tus-js-client -> @tus/server, unchecked', await openTus(folder, 0));
      senders.set('AWS SDK -> s3rver', await openSdk(folder));
    }
    for (const one of measures) await measure(one, senders);
  } finally {
    for (const sender of senders.values()) await sender.end();
    rmSync(folder, { recursive: true, force: true });
  }
};
