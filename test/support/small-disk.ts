/**
 * A small ext4 disk for a test, in a file mounted by loop: a disk that is really full, with the file system's delayed
 * allocation and journal, without filling the machine's disk. Needs Linux, root, mkfs.ext4 and a loop device.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from './service.ts';

export interface SmallDisk {
  /** An empty folder on the disk. */
  readonly path: string;
  /** Free space in bytes. */
  left(): number;
  /** Uses all space except `leave` bytes. */
  fill(leave: number): void;
  /** Releases the space taken by `fill`. */
  empty(): void;
  remove(): void;
}

const run = (command: string, ...args: readonly string[]): void =>
  void execFileSync(command, args, { stdio: 'pipe' });

/** A sentence naming what this machine lacks for a small disk, for skipped tests; null if nothing is missing. */
export const smallDiskMissing = (): string | null => {
  if (process.platform !== 'linux') return 'needs Linux (ext4 by loop)';
  if (process.getuid?.() !== 0) return 'needs root, to mount an ext4 image';
  try {
    makeSmallDisk(8 * 1024 * 1024).remove();
    return null;
  } catch (error) {
    return `needs mkfs.ext4, mount and a free loop device: ${String(error).split('\n')[0] ?? ''}`;
  }
};

/** @param bytes size of the disk; its image is sparse */
export const makeSmallDisk = (bytes: number): SmallDisk => {
  const place = tempDir('small-disk');
  const image = join(place.path, 'image');
  const mounted = join(place.path, 'mounted');
  const path = join(mounted, 'data');
  const filler = join(mounted, 'filler');
  mkdirSync(mounted);
  try {
    run('truncate', '-s', String(bytes), image);
    // No blocks reserved for root: full is full for every user.
    run('mkfs.ext4', '-q', '-F', '-m', '0', image);
    run('mount', '-o', 'loop', image, mounted);
    mkdirSync(path);
  } catch (error) {
    place.remove();
    throw error;
  }
  const left = (): number => {
    const facts = statfsSync(mounted);
    return facts.bavail * facts.bsize;
  };
  return {
    path,
    left,
    fill: (leave) => {
      rmSync(filler, { force: true });
      for (let size = left() - leave; size > 0; size -= 64 * 1024) {
        try {
          return run('fallocate', '-l', String(size), filler);
        } catch {
          rmSync(filler, { force: true }); // the filler's own bookkeeping needs room too
        }
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      // Lazy unmount: a process that has just ended may still hold it for a moment.
      run('umount', '-l', mounted);
      place.remove();
    },
  };
};
