/**
 * A video of 2 GiB through the window to its delivery (failures A29): picked in real Chromium, spooled through the host, sent
 * in segments, verified. The memory of window, host and service is sampled throughout, after a small video has gone the same
 * way: none may grow with the file. SPOTTER_LARGE_MB sets another size.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { look } from '../../src/renderer/photos/formats/look.ts';
import { bringWindow } from '../../src/setup/window/window.ts';
import { connectToServer } from '../e2e/steps.ts';
import { bareDemo, clientOf, spawnService, tempDir } from '../support/service.ts';
import { openShell, queuedIds, receiptsOf } from '../support/shell.ts';
import type { Case, Outcome } from './run.ts';

const MIB = 1024 * 1024;
const SIZE = Number(process.env['SPOTTER_LARGE_MB'] ?? 2_048) * MIB;
const SMALL = 24 * MIB;
/** Limits of growth of host or service, and of all Chromium processes together, MiB. */
const GROWTH = 160;
const WINDOW_GROWTH = 256;
const EVERY_MS = 500;
const PATIENCE = 60 * 60_000;
const root = join(import.meta.dirname, '../..');

interface Film {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** The clip without what the privacy setting removes, so that its bytes stay the same from picker to server. */
const cleanClip = async (): Promise<Buffer> => {
  const clip = new Blob([readFileSync(join(root, 'test/fixtures/clip.mp4'))]);
  const { stripped } = await look(clip);
  return Buffer.from(await (stripped.kind === 'stripped' ? stripped.blob : clip).arrayBuffer());
};

const be32 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => out.writeUInt32BE(value, 4 * index));
  return out;
};
const box = (type: string, ...body: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(body);
  return Buffer.concat([be32(8 + content.length), Buffer.from(type, 'latin1'), content]);
};

/** A disabled track with the bytes [from, from + length) as its samples: bytes without a track are not sent. */
const trackOf = (from: number, length: number): Buffer =>
  box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(24)),
      box('hdlr', be32(0, 0), Buffer.from('vide'), Buffer.alloc(13)),
      box(
        'minf',
        box(
          'stbl',
          box('stsd', be32(0, 1), box('avc1', Buffer.alloc(78))),
          box('stsc', be32(0, 1, 1, length, 1)),
          // One byte for each sample.
          box('stsz', be32(0, 1, length)),
          box('stco', be32(0, 1, from)),
        ),
      ),
    ),
  );

/** The clip with this track instead of its subtitles, which were emptied. */
const withTrack = (clip: Buffer, track: Buffer): Buffer => {
  const from = clip.indexOf('free') - 4;
  const rest = clip.readUInt32BE(from) - track.length;
  const out = Buffer.from(clip);
  Buffer.concat([track, box('free', Buffer.alloc(rest - 8))]).copy(out, from);
  return out;
};

/** A real clip followed by a media data box of the wanted size: every player plays it, and all its bytes differ. */
const film = async (folder: string, name: string, size: number): Promise<Film> => {
  const path = join(folder, name);
  const cleaned = await cleanClip();
  const data = cleaned.length + 16;
  const clip = withTrack(cleaned, trackOf(data, size - data));
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0); // the size follows in 64 bits
  head.write('mdat', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(size - clip.length), 8);
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  try {
    let left = size;
    const put = async (bytes: Buffer): Promise<void> => {
      const part = bytes.subarray(0, left);
      left -= part.length;
      hash.update(part);
      await file.writeFile(part);
    };
    await put(Buffer.concat([clip, head]));
    const block = randomBytes(MIB);
    for (let n = 0; left > 0; n += 1) {
      block.writeUInt32BE(n, 0);
      await put(block);
    }
  } finally {
    await file.close();
  }
  return { path, name, size, sha256: hash.digest('hex') };
};

/** Memory of a process, MiB: its private memory and its share of shared memory. */
const memoryOf = (pid: number): number => {
  try {
    const said = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(said)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it ended meanwhile
  }
};

/** All descendants of this process. */
const descendants = (pid: number): number[] => {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.flatMap((child) => [Number(child), ...descendants(Number(child))]);
  } catch {
    return [];
  }
};

type Who = 'host' | 'service' | 'window';
const whos: readonly Who[] = ['host', 'service', 'window'];

/** Samples until it is stopped; keeps the peak of each process since `begin`. */
const createSampler = (host: number, service: number) => {
  let peaks: Record<Who, number> = { host: 0, service: 0, window: 0 };
  const look = (): void => {
    const others = descendants(process.pid).filter((pid) => pid !== host && pid !== service);
    const now: Record<Who, number> = {
      host: memoryOf(host),
      service: memoryOf(service),
      window: others.reduce((sum, pid) => sum + memoryOf(pid), 0),
    };
    for (const who of whos) peaks[who] = Math.max(peaks[who], now[who]);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    begin: (): void => {
      peaks = { host: 0, service: 0, window: 0 };
      look();
    },
    peaks: (): Record<Who, number> => peaks,
    end: (): void => clearInterval(timer),
  };
};

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

const waitUntil = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within an hour: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

/** Delivers a film from the picker to the receipt; returns the duration of each half, seconds. */
const deliver = async (page: Page, text: string, { path, name, sha256 }: Film) => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(text);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
  const taken = await secondsOf(async () => {
    await page.locator('input[type=file]').setInputFiles(path);
    const kept = page.getByRole('button', { name: `More for ${name}` });
    await kept.waitFor({ timeout: PATIENCE });
  });
  const sent = await secondsOf(async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/#\/near-misses\/[^/]+$/);
    await waitUntil('the queue is empty', async () => (await queuedIds(page)).length === 0);
  });
  const receipts = await receiptsOf(page);
  return { taken, sent, receipt: receipts.includes(sha256) };
};

const sendLarge = async (size: number): Promise<Outcome> => {
  if (process.platform !== 'linux')
    return { runs: 0, failures: ['not run: memory is read of /proc'] };
  await bringWindow(root, () => undefined);
  const place = tempDir('prove-large');
  const service = await spawnService(bareDemo(join(place.path, 's')));
  const shell = await openShell(join(place.path, 'app'));
  const sampler = createSampler(shell.pid, service.child.pid ?? 0);
  const failures: string[] = [];
  const notes: string[] = [];
  try {
    const { page } = shell;
    await connectToServer(
      page,
      { url: service.first.url, first: service.first },
      'Harbour Bridge East',
    );
    sampler.begin();
    await deliver(page, 'A small video first', await film(place.path, 'small.mp4', SMALL));
    const before = sampler.peaks();
    const large = await film(place.path, 'large.mp4', size);
    sampler.begin();
    const { taken, sent, receipt } = await deliver(page, 'A large video', large);
    if (!receipt) failures.push('no receipt has the sha256 of the file that was picked');
    notes.push(
      `${size / MIB} MiB: taken in ${taken.toFixed(0)} s, delivered ${sent.toFixed(0)} s later`,
    );
    const grown = sampler.peaks();
    for (const who of whos) {
      const by = Math.round(grown[who] - before[who]);
      const limit = who === 'window' ? WINDOW_GROWTH : GROWTH;
      notes.push(`${who} ${Math.round(before[who])} MiB ${by >= 0 ? '+' : ''}${by}`);
      if (by > limit) failures.push(`${who} grew by ${by} MiB, more than ${limit}`);
    }
    const { json: records } = await clientOf(service.first.url, service.first).get(
      '~/incidents/near_misses?filters[query]=large%20video',
    );
    const [attachment] = records[0]?.attachments ?? [];
    if (attachment?.size !== size || attachment?.sha256 !== large.sha256)
      failures.push(`the service has ${JSON.stringify(attachment ?? null)}`);
  } finally {
    sampler.end();
    await shell.close();
    await service.end('SIGKILL');
    place.remove();
  }
  return { runs: 1, failures, note: notes.join(', ') };
};

export const large: Case = {
  name: 'large',
  title: 'a 2 GiB video through the window to its receipt, no process grows with it',
  run: (_seed, _replay, share) =>
    sendLarge(Math.max(SMALL, Math.round((SIZE * share) / MIB) * MIB)),
};
