/**
 * The first line the service prints and the only one on its stdout (decisions §10). A shell reads the service's address from it.
 */
import { z } from 'zod';
import { level } from './rest/access/levels.ts';

/** Login of the single user of a laptop without a server. */
export const LAPTOP_LOGIN = 'this-laptop@localhost';

const demoUser = z.object({
  token: z.string().min(1),
  company_id: z.number().int().positive(),
  project_id: z.number().int().positive(),
});

/** A token of each level; with `--laptop` there is only the one of its user. */
const tokens = z.partialRecord(level, z.string().min(1));
export type LevelTokens = z.infer<typeof tokens>;

/** The line of a service started with `--demo` or `--laptop`, as the app's embedded services are. */
export const embeddedServiceLine = z.object({
  url: z.url(),
  docs: z.string(),
  ...demoUser.shape,
  tokens: tokens.optional(),
});
