/**
 * The window's part of `--self-test`. Tries for real each capability the window needs and reports each result to the shell. The
 * near miss takes the usual path: intake, database, journal, queue, service, and back.
 */
import { ulid } from 'ulid';
import { CHUNK_MAX } from '../../../contract/host.ts';
import { type Answer, windowCheck, type WindowCheck } from '../../../contract/self-test.ts';
import type { Result } from '../../../contract/problem.ts';
import { refreshCatalog } from '../../data/db/catalog.ts';
import type { Deps } from '../../data/db/db.ts';
import { newDraft } from '../../data/near-misses/drafts.ts';
import { saveNearMiss } from '../../data/near-misses/near-misses.ts';
import { emptyFields } from '../../data/model/near-miss-rows.ts';
import { htmlOf } from '../../data/model/text.ts';
import type { Host } from '../../host/client.ts';
import { pictureOfHeif } from '../../photos/heif/heif-picture.ts';
import { takeIn } from '../../photos/intake.ts';
import { askWorker } from '../../photos/work.ts';
import type { Scope } from '../app.svelte.ts';
import { RED_HEIC } from './self-test-picture.ts';

export interface Tested {
  readonly deps: Deps;
  readonly scope: Scope | null;
}

/** Timeout of a check, in milliseconds. A slow machine sends a photo in a fraction of it. */
const PATIENCE = 120_000;

const pass = (sentence: string, numbers?: Answer['numbers']): Answer => ({
  result: 'pass',
  sentence,
  ...(numbers === undefined ? {} : { numbers }),
});
const failed = (sentence: string): Answer => ({ result: 'fail', sentence });
const notHere = (sentence: string): Answer => ({ result: 'not here', sentence });
const must = <T>(result: Result<T>, what: string): T => {
  if (!result.ok) throw new Error(`${what}: ${JSON.stringify(result.problem)}`);
  return result.value;
};
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (bytes: BufferSource): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', bytes));

// ---- capabilities of the page

const secure = async (): Promise<Answer> =>
  isSecureContext
    ? pass(`${location.origin} is a secure origin.`)
    : failed(`${location.origin} is not a secure origin: no storage, no camera, no locks.`);

const webLocks = (): Promise<Answer> =>
  navigator.locks.request('self-test', async () =>
    navigator.locks.request('self-test', { ifAvailable: true }, (second) =>
      second === null
        ? pass('A lock that is held is not given twice.')
        : failed('A lock that is held was given again: two windows would send the queue.'),
    ),
  );

const broadcastChannel = (): Promise<Answer> =>
  new Promise((resolve) => {
    const [one, other] = [new BroadcastChannel('self-test'), new BroadcastChannel('self-test')];
    other.addEventListener('message', () => {
      one.close();
      other.close();
      resolve(pass('A message reached another channel of the same name.'));
    });
    one.postMessage('heard?');
  });

const moduleWorker = async (): Promise<Answer> => {
  const said = await askWorker<string, unknown>(
    () =>
      new Worker(new URL('./self-test-worker.ts', import.meta.url), {
        type: 'module',
        name: 'self-test',
      }),
    'heard?',
  );
  return said === 'heard?' ? pass('A module worker answers.') : failed('No module worker starts.');
};

const fonts = async (): Promise<Answer> => {
  const faces = await document.fonts.load('16px "Inter Variable"');
  return faces.length > 0 && faces.every(({ status }) => status === 'loaded')
    ? pass('The window’s own letters are loaded.')
    : failed('The window’s own letters are not there: it shows others.');
};

const firstPixel = async (picture: Blob): Promise<Uint8ClampedArray> => {
  const bitmap = await createImageBitmap(picture);
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) throw new Error('there is no canvas');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, 1, 1).data;
};

const heic = async (): Promise<Answer> => {
  const file = new Blob([Uint8Array.from(atob(RED_HEIC), (letter) => letter.charCodeAt(0))]);
  const picture = await pictureOfHeif(file, 64);
  if (picture === null) return failed('A HEIC picture cannot be decoded.');
  const [red = 0, green = 0, blue = 0] = await firstPixel(picture);
  return red > 200 && green < 60 && blue < 60
    ? pass('A red HEIC picture is shown red.')
    : failed(`A red HEIC picture is shown as ${red}, ${green}, ${blue}.`);
};

const camera = async (): Promise<Answer> => {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const cameras = devices.filter(({ kind }) => kind === 'videoinput').length;
  return cameras === 0
    ? notHere('The system names no camera.')
    : pass(`Cameras that the system names: ${cameras}. None was switched on.`, { cameras });
};

/** The shell restores the previous clipboard text. */
const clipboard = async (): Promise<Answer> => {
  if (!document.hasFocus()) return notHere('The window has not the focus: nothing may be copied.');
  await navigator.clipboard.writeText('Spotter self-test');
  return pass('Copying works.');
};

/** Reports everything that the content security policy refused since the start. */
const policy = (): Promise<Answer> =>
  new Promise((resolve) => {
    const seen: string[] = [];
    const observer = new ReportingObserver(
      (reports) => {
        for (const { body } of reports) {
          const { effectiveDirective = '', blockedURL = '' } = (body ?? {}) as Record<
            string,
            string
          >;
          seen.push(`${effectiveDirective} ${blockedURL}`.trim());
        }
      },
      { types: ['csp-violation'], buffered: true },
    );
    observer.observe();
    setTimeout(() => {
      observer.disconnect();
      resolve(
        seen.length === 0
          ? pass('The window’s policy refused nothing.')
          : failed(`The window’s policy refused: ${[...new Set(seen)].join('; ').slice(0, 500)}`),
      );
    }, 1_000);
  });

// ---- connection to the host

const ipcRoundTrip = async (host: Host): Promise<Answer> => {
  const took: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    const before = performance.now();
    must(await host.call('app.info', {}), 'app.info');
    took.push(performance.now() - before);
  }
  took.sort((a, b) => a - b);
  const [median_ms = 0, slow_ms = 0] = [took[100], took[190]];
  const numbers = { median_ms, p95_ms: slow_ms };
  return pass(
    `A call takes ${median_ms.toFixed(1)} ms, 1 of 20 more than ${slow_ms.toFixed(1)} ms.`,
    numbers,
  );
};

/** Measures the throughput of the spool, through the host API onto the disk. */
const ipcBytes = async (host: Host): Promise<Answer> => {
  const [photo_id, parts] = [ulid(), 4];
  const bytes = new Uint8Array(CHUNK_MAX);
  const size = parts * CHUNK_MAX;
  const begun = { photo_id, filename: 'self-test', size, purpose: 'attachment' } as const;
  must(await host.call('photos.begin', begun), 'photos.begin');
  const before = performance.now();
  for (let part = 0; part < parts; part += 1)
    must(
      await host.call('photos.write', { photo_id, offset: part * CHUNK_MAX }, bytes),
      'photos.write',
    );
  const bytes_per_second = Math.round((size * 1000) / (performance.now() - before));
  must(await host.call('photos.discard', { photo_id }), 'photos.discard');
  return pass(`${(bytes_per_second / 1e6).toFixed(0)} MB per second reach the disk.`, {
    bytes_per_second,
  });
};

// ---- the main job

const PHOTO_WIDTH = 1024;

const noisePhoto = async (): Promise<File> => {
  const [width, height] = [PHOTO_WIDTH, 768];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('there is no canvas');
  const image = context.createImageData(width, height);
  for (let at = 0; at < image.data.length; at += 65_536)
    crypto.getRandomValues(image.data.subarray(at, at + 65_536));
  context.putImageData(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
  return new File([blob], 'self-test.jpg', { type: 'image/jpeg' });
};

/** Waits until a photo is delivered and returns its receipt. */
const delivered = async (deps: Deps, photo_id: string) => {
  for (;;) {
    const row = await deps.db.photos.get(photo_id);
    if (row?.receipt) return row.receipt;
    const parked = await deps.db.operations.filter(({ state }) => state === 'parked').first();
    if (parked !== undefined) throw new Error(`the queue gave it up: ${parked.kind}`);
    await wait(250);
  }
};

const delivery = async ({ deps, scope }: Tested): Promise<Answer> => {
  if (scope === null) return failed('There is no project to report to.');
  const { catalog } = must(await refreshCatalog(deps, scope), 'catalog.show');
  const incident_id = catalog.incidents[0]?.id;
  if (incident_id === undefined) return failed('The service on this laptop has no incident.');
  const before = performance.now();
  const draft = newDraft(deps, scope);
  const file = await noisePhoto();
  const [taken] = await takeIn(deps, { account: scope.account, draft_id: draft.id }, [file]);
  if (!taken?.ok) return failed(`The photo was not taken in: ${JSON.stringify(taken?.refusal)}`);
  const fields = { ...emptyFields, incident_id, description: htmlOf('Self-test') };
  const { key } = must(await saveNearMiss(deps, { ...draft, fields }), 'save');
  const receipt = await delivered(deps, taken.kept.photo_id);
  const near_miss_id = (await deps.db.near_misses.get(key))?.server_id;
  const { attachment_id } = receipt;
  if (!near_miss_id || attachment_id === null) return failed('The server named no attachment.');
  const ids = { project_id: scope.project_id, near_miss_id, attachment_id };
  const back = must(
    await deps.host.call('photos.attachment', { ...ids, variant: 'full', offset: 0 }),
    'photos.attachment',
  );
  const small = await deps.host.call('photos.attachment', {
    ...ids,
    variant: 'thumbnail',
    offset: 0,
  });
  const problem = small.ok ? null : JSON.stringify(small.problem);
  const picture = small.ok ? await createImageBitmap(new Blob([small.value.bytes])) : null;
  if (picture === null || picture.width >= PHOTO_WIDTH)
    return failed(
      `The service made no small picture of the photo: ${problem ?? 'it gave the whole'}`,
    );
  const [sent, read] = [await sha256(await file.arrayBuffer()), await sha256(back.bytes)];
  const ms = Math.round(performance.now() - before);
  return sent === read && receipt.sha256 === sent
    ? pass(
        'A near miss with a photo was saved, sent and read back, equal byte by byte; the service made its small picture.',
        { ms, small_picture_width: picture.width },
      )
    : failed(`The photo that came back (${read}) is not the one that was sent (${sent}).`);
};

// ---- all checks

const within = (check: () => Promise<Answer>): Promise<Answer> =>
  Promise.race([
    check(),
    wait(PATIENCE).then(() => failed(`No answer within ${PATIENCE / 1000} s.`)),
  ]).catch((error: unknown) => failed(String(error).slice(0, 1000)));

/** Runs the checks one after the other, so that none disturbs the measurements of another. */
export const selfTest = async (host: Host, tested: Tested): Promise<void> => {
  const checks: Readonly<Record<WindowCheck, () => Promise<Answer>>> = {
    window: async () => pass('The window is open and does what the shell asks of it.'),
    secure,
    web_locks: webLocks,
    broadcast_channel: broadcastChannel,
    module_worker: moduleWorker,
    fonts,
    heic,
    camera,
    clipboard,
    ipc_round_trip: () => ipcRoundTrip(host),
    ipc_bytes: () => ipcBytes(host),
    delivery: () => delivery(tested),
    policy,
  };
  for (const name of windowCheck.options)
    await host.call('self_test.report', { answer: { name, ...(await within(checks[name])) } });
};
