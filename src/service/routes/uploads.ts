/** Company uploads (decisions §5). */
import { notFound } from '../domain/problem.ts';
import type { HandlersOf } from './handler.ts';

const soon = (): Promise<never> => Promise.reject(notFound());

export const uploadHandlers: HandlersOf<'uploads.create' | 'uploads.show' | 'uploads.update'> = {
  'uploads.create': soon,
  'uploads.show': soon,
  'uploads.update': soon,
};
