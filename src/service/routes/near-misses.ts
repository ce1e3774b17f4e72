/** near-misses */
import { notFound } from '../domain/problem.ts';
import type { HandlersOf } from './handler.ts';
const soon = (): Promise<never> => Promise.reject(notFound());
export const nearMissHandlers: HandlersOf<
  | 'near_misses.list'
  | 'near_misses.create'
  | 'near_misses.show'
  | 'near_misses.update'
  | 'near_misses.delete'
  | 'recycled_near_misses.list'
  | 'recycled_near_misses.show'
  | 'recycled_near_misses.restore'
  | 'near_miss_attachments.delete'
> = {
  'near_misses.list': soon,
  'near_misses.create': soon,
  'near_misses.show': soon,
  'near_misses.update': soon,
  'near_misses.delete': soon,
  'recycled_near_misses.list': soon,
  'recycled_near_misses.show': soon,
  'recycled_near_misses.restore': soon,
  'near_miss_attachments.delete': soon,
};
