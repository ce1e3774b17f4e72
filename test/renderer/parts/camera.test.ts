/** The camera dialog in a real browser with a real stream, in which only the lens is replaced, by a canvas. */
import { mount, unmount, tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Camera from '../../../src/renderer/parts/photo/Camera.svelte';
import { words } from '../../../src/renderer/words/words.ts';
import { eventually } from '../../support/eventually.ts';
import { found } from '../../support/found.ts';

const t = words.capture.camera;
let stop: () => void = () => {};
let running: ReturnType<typeof mount> | undefined;

/** A canvas that keeps drawing, so that its stream has frames. */
const lens = (): MediaStream => {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 480;
  const timer = setInterval(() => {
    const paper = canvas.getContext('2d');
    if (paper === null) return;
    paper.fillStyle = '#b93a00';
    paper.fillRect(0, 0, 640, 480);
  }, 30);
  stop = () => clearInterval(timer);
  return canvas.captureStream(30);
};

const open = (take: (blob: Blob) => void = () => {}, choose: () => void = () => {}) => {
  running = mount(Camera, {
    target: document.body,
    props: { open: true, words: t, take, choose },
  });
};
const button = (name: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === name);
const press = async (name: string) => (await found(() => button(name))).click();

beforeEach(() => {
  vi.restoreAllMocks();
});
afterEach(async () => {
  if (running) await unmount(running);
  running = undefined;
  stop();
});

it('shows the live picture, takes photos one after the other, and lets the camera go', async () => {
  const stream = lens();
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockResolvedValue(stream);
  const taken: Blob[] = [];
  open((blob) => taken.push(blob));
  await eventually(() => expect(document.querySelector('video')?.videoWidth).toBe(640));
  await eventually(() => expect(button(t.shoot)?.disabled).toBe(false));
  await press(t.shoot);
  await eventually(() => expect(taken).toHaveLength(1));
  await press(t.shoot);
  await eventually(() => expect(taken).toHaveLength(2));
  await eventually(() => expect(document.body.textContent).toContain(t.taken(2)));
  const picture = await createImageBitmap(taken[0] ?? new Blob());
  expect([picture.width, picture.height, taken[0]?.type]).toEqual([640, 480, 'image/jpeg']);
  await press(t.done);
  await eventually(() =>
    expect(stream.getTracks().every((one) => one.readyState === 'ended')).toBe(true),
  );
});

it.each([
  ['NotFoundError', t.none],
  ['NotAllowedError', t.denied],
  ['NotReadableError', t.busy],
])('%s: says why there is no picture and offers the files', async (name, said) => {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException('', name));
  const choose = vi.fn();
  open(undefined, choose);
  await eventually(() => expect(document.querySelector('[role=alert]')?.textContent).toBe(said));
  await press(t.choose);
  await tick();
  expect(choose).toHaveBeenCalledOnce();
});
