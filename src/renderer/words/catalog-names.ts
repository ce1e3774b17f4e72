/** Translates a catalog name that is common in construction; returns any other name unchanged. */
import { spoken, words } from './words.ts';

export const called = (name: string): string =>
  spoken === 'en' ? name : (words.capture.catalog_names[name.trim().toLowerCase()] ?? name);
