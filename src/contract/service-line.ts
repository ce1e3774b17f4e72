/** The first line the service prints, the only one on its stdout (decisions §10): how a shell finds its own service. */
import { z } from 'zod';

const demoUser = z.object({
  token: z.string().min(1),
  company_id: z.number().int().positive(),
  project_id: z.number().int().positive(),
});

/** With `--demo`, as the embedded service always runs. */
export const embeddedServiceLine = z.object({ url: z.url(), docs: z.string(), ...demoUser.shape });
