/** A name of the server's catalog in the language that is spoken, where it is one that construction firms share; else as it is. */
import { spoken, words } from './words.ts';

export const called = (name: string): string =>
  spoken === 'en' ? name : (words.capture.catalog_names[name.trim().toLowerCase()] ?? name);
