/** The watched folder (state/watched-folder): no observer survives its form. Real folder and Chromium's real observer. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchedFolder } from '../../../src/renderer/state/photos/watched-folder.svelte.ts';
import { until } from '../../support/renderer-window.ts';

const Real = FileSystemObserver;
/** The active observers. */
const watching = new Set<FileSystemObserver>();
let asked = 0;
/** Runs while the browser is asked to observe. */
let meanwhile: () => void;

class Counted extends Real {
  override async observe(
    ...args: Parameters<FileSystemObserver['observe']>
  ): ReturnType<FileSystemObserver['observe']> {
    asked += 1;
    watching.add(this);
    meanwhile();
    await super.observe(...args);
  }
  override disconnect(): void {
    watching.delete(this);
    super.disconnect();
  }
}

const folderCalled = async (name: string): Promise<FileSystemDirectoryHandle> =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });

beforeEach(async () => {
  Object.assign(globalThis, { FileSystemObserver: Counted });
  asked = 0;
  meanwhile = () => undefined;
  await watchedFolder.stop();
});
afterEach(async () => {
  await watchedFolder.stop();
  Object.assign(globalThis, { FileSystemObserver: Real });
});

it('a folder that is followed is watched once, and not after the form was left', async () => {
  const end = watchedFolder.follow();
  await watchedFolder.watch(await folderCalled('card'));
  expect([asked, watching.size, watchedFolder.state]).toEqual([1, 1, 'watching']);
  end();
  expect(watching.size).toBe(0);
});

it('a form that is left while the browser is asked leaves nothing behind', async () => {
  const end = watchedFolder.follow();
  meanwhile = end;
  await watchedFolder.watch(await folderCalled('card'));
  expect([asked, watching.size]).toEqual([1, 0]);
});

it('a folder that is chosen while another is begun is the only one that is watched', async () => {
  const other = await folderCalled('other');
  const end = watchedFolder.follow();
  let second: Promise<void> | undefined;
  meanwhile = () => {
    meanwhile = () => undefined;
    second = watchedFolder.watch(other);
  };
  await watchedFolder.watch(await folderCalled('card'));
  await second;
  await until(
    'the other one is watched',
    () => watchedFolder.name === 'other' && watchedFolder.state === 'watching',
  );
  expect(watching.size).toBe(1);
  end();
  expect(watching.size).toBe(0);
});

it('a folder that is dropped as the form is left is kept for the next form, and not watched before it', async () => {
  watchedFolder.follow()();
  await watchedFolder.watch(await folderCalled('card'));
  expect(watching.size).toBe(0);
  const end = watchedFolder.follow();
  await until('it is watched', () => watching.size === 1);
  end();
  // The browser may still be processing the request.
  await until('it is watched no more', () => watching.size === 0);
});
