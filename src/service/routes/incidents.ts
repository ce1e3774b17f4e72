/** incidents */
import { notFound } from '../domain/problem.ts';
import type { HandlersOf } from './handler.ts';
const soon = (): Promise<never> => Promise.reject(notFound());
export const incidentHandlers: HandlersOf<
  'incidents.list' | 'incidents.create' | 'incidents.show'
> = {
  'incidents.list': soon,
  'incidents.create': soon,
  'incidents.show': soon,
};
