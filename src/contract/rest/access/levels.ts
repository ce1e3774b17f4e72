/**
 * [ours] The levels of users and tokens (decisions §12.1). A reporter sees less than a read-only user and writes more, so the
 * levels are no ladder: `tokenLevels` says which level a token may have.
 */
import { z } from 'zod';
import { id } from '../protocol/endpoint.ts';

export const levels = ['read_only', 'reporter', 'standard', 'admin'] as const;
export type Level = (typeof levels)[number];

export const level = z.enum(levels, `must be one of ${levels.join(', ')}`);

/** The levels that a token may have, by the level of its user: none allows what the user may not do. */
export const tokenLevels: Readonly<Record<Level, readonly Level[]>> = {
  read_only: ['read_only'],
  reporter: ['reporter'],
  standard: ['read_only', 'reporter', 'standard'],
  admin: levels,
};

/** The projects that a user may see; null: all projects of the company. */
export const projectIds = z.array(id).max(1000, 'must have at most 1000 projects').nullable();

/** What a caller may do in one company. */
export interface Access {
  readonly level: Level;
  readonly project_ids: readonly number[] | null;
}
