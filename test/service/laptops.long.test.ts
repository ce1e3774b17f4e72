/** Many laptops replay their queues at once: the short form of `npm run prove -- laptops`. */
import { describe, expect, it } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { onPostgres as atTwoServices, onSqlite as atOneService } from '../prove/laptops.ts';

describe('failures S26: many laptops at once', () => {
  it('each create is there once, and nothing is told twice at once', async () => {
    const { runs, failures } = await (onPostgres ? atTwoServices : atOneService)(20, 3);
    expect(failures).toEqual([]);
    expect(runs).toBe(60);
  });
});
