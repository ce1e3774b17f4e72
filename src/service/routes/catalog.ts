/** catalog */
import { notFound } from '../domain/problem.ts';
import type { HandlersOf } from './handler.ts';
const soon = (): Promise<never> => Promise.reject(notFound());
export const catalogHandlers: HandlersOf<'catalog.show'> = {
  'catalog.show': soon,
};
