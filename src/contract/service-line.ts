/** The first line the service prints, the only one on its stdout (decisions §10): how a shell finds its own service. */
import { z } from 'zod';

/** Who works on this laptop without a server: its one user's login. */
export const LAPTOP_LOGIN = 'this-laptop@localhost';

const demoUser = z.object({
  token: z.string().min(1),
  company_id: z.number().int().positive(),
  project_id: z.number().int().positive(),
});

/** With `--demo` or `--laptop`, as the services of the app itself run. */
export const embeddedServiceLine = z.object({ url: z.url(), docs: z.string(), ...demoUser.shape });
