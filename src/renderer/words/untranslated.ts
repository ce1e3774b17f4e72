/**
 * While the window grows, English is ahead: a word that Spanish does not have yet is said in English, and its absence compiles.
 * With the last word translated this file goes, and the files of es/ are held to the whole of `Words`.
 */
import type { Words } from './words.ts';

type Some<T> = T extends (...given: never) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Some<T[K]> }
    : T;

/** A topic, or what there is of it. */
export type Spoken<K extends keyof Words> = Some<Words[K]>;

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `some` over `all`, word by word. */
export const over = <T>(all: T, some: Some<T>): T => {
  if (!isGroup(all) || !isGroup(some)) return (some ?? all) as T;
  const filled = Object.entries(all).map(([name, value]) => [name, over(value, some[name])]);
  return Object.fromEntries(filled) as T;
};
