/** Pure: maps a step of the window to the script's named points. */
import type { Point } from './actions.ts';
import type { PointName } from './script.ts';

const writes = new Set([
  'near_misses.create',
  'near_misses.update',
  'near_misses.delete',
  'recycled_near_misses.restore',
]);

/** The named points at a step of the window. */
export const pointsAt = ({ when, method, endpoint, starting }: Point): readonly PointName[] => {
  const names: PointName[] = [];
  if (starting && (method === 'journal.list' ? when === 'after' : method.startsWith('journal.')))
    names.push('during-rebuild');
  if (method === 'journal.append')
    names.push(when === 'before' ? 'before-journal-append' : 'after-journal-before-saved');
  if (method === 'journal.settle' && when === 'before')
    names.push('after-local-commit-before-journal-settle');
  if (method === 'photos.write' || method === 'photos.finish') names.push('mid-intake');
  const sends = writes.has(endpoint) || method === 'photos.upload' || method === 'photos.deliver';
  if (sends && when === 'before') names.push('before-send');
  if (sends && when === 'after') names.push('after-response-before-local-commit');
  if (endpoint === 'near_misses.create' && when === 'after') names.push('between-create-and-link');
  return names;
};
