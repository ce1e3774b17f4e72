/**
 * B2: a file of 256 MiB over a line that cuts every connection after a second: seconds until it is uploaded (ours: until its
 * receipt is verified), and sent bytes per byte of the file. The peer is tus-js-client with requests of 8 MiB, which retries at
 * once, as ours is made to do here. Once over loopback, where both finish after a cut or two, and once over a line of 64 MB a
 * second each way, where both meet several.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeers } from './install-peers.ts';
import { keep, machine, median, pinSelf, withNoise } from './machine.ts';
import { startCutter } from './processes.ts';
import { openOurs, openTus, type Sender } from './upload-sides.ts';

const MIB = 1024 * 1024;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const LARGE = Number(process.env['BENCH_LARGE'] ?? 256 * MIB);
const EVERY_MS = 1_000;
const LINES = [
  { name: 'cut-uploads', rate: 0 },
  { name: 'cut-uploads-64', rate: 64_000_000 },
] as const;
const OURS_ONLY = process.env['BENCH_OURS'] === '1';

interface Round {
  readonly seconds: number;
  /** Bytes sent to the server per byte of the file. */
  readonly sent: number;
  readonly cuts: number;
  readonly noise: number;
}

interface Measured {
  readonly name: string;
  readonly sender: Sender;
  readonly rounds: Round[];
}

const measure = async (sides: readonly Measured[], rate: number): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, sender, rounds } of sides) {
      const line = await startCutter(sender.port, EVERY_MS, rate);
      const files = { count: 1, size: LARGE };
      const { value, noise } = await withNoise(() => sender.send(files, line.first.port));
      const { bytes, cuts } = await line.next();
      await line.end();
      rounds.push({ seconds: value.ms / 1000, sent: bytes / LARGE, cuts, noise });
      console.log(
        `  round ${round + 1}  ${name.padEnd(16)} ${(value.ms / 1000).toFixed(1)} s, ${cuts} cuts, ${(bytes / LARGE).toFixed(3)} x the file sent  (other load: ${noise} cores)`,
      );
    }
};

const show = (name: string, sides: readonly Measured[]): void => {
  const rows = sides.map(({ name: side, rounds }) => {
    const [times, sent] = [rounds.map((one) => one.seconds), rounds.map((one) => one.sent)];
    return {
      name: side,
      seconds: median(times),
      min: Math.min(...times),
      max: Math.max(...times),
      sent: median(sent),
      cuts: median(rounds.map(({ cuts }) => cuts)),
      noise: median(rounds.map(({ noise }) => noise)),
    };
  });
  for (const { name: side, seconds, min, max, sent, cuts } of rows)
    console.log(
      `${side.padEnd(18)} ${seconds.toFixed(1)} s (${min.toFixed(1)}-${max.toFixed(1)}), ${cuts} cuts, ${sent.toFixed(3)} x the file sent`,
    );
  keep(name, { machine: machine(), rounds: ROUNDS, bytes: LARGE, rows });
};

export const cutUploads = async (): Promise<void> => {
  if (!OURS_ONLY) installPeers();
  pinSelf(0);
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const senders = [{ name: 'Spotter', sender: await openOurs(folder) }];
  try {
    if (!OURS_ONLY) senders.push({ name: 'tus-js-client', sender: await openTus(folder, 8 * MIB) });
    for (const { name, rate } of LINES) {
      const sides = senders.map((one) => ({ ...one, rounds: [] }));
      await measure(sides, rate);
      show(name, sides);
    }
  } finally {
    for (const { sender } of senders) await sender.end();
    rmSync(folder, { recursive: true, force: true });
  }
};
