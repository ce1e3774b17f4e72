/** The words of the report box's poster in every language: all are on it. */
import type { Language } from '../../contract/languages.ts';
import { box_poster as en } from './en/box-poster.ts';
import { box_poster as es } from './es/box-poster.ts';
import { box_poster as pl } from './pl/box-poster.ts';

export const posterWords: Readonly<Record<Language, typeof en>> = { en, es, pl };
