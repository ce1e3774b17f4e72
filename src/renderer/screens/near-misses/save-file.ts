import { localDay } from '../../data/local-day.ts';

/** Hands a file to whoever keeps downloads: the browser, or the desktop program's window. */
export const saveFile = (blob: Blob, filename: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** `near-misses-2026-11-21.csv`, by this computer's day. */
export const datedName = (name: string, ending: string, now: number): string =>
  `${name}-${localDay(now)}.${ending}`;
