/**
 * Counts near misses beside the window (insights.ts): reading a hundred thousand rows takes seconds, and none of them are
 * the window's. Reads in parts along the index, so that no more than a few thousand rows are in memory at once.
 */
import { createDb, type NearMissRow, type SpotterDb } from './db.ts';
import {
  tallyOf,
  type InsightMessage,
  type InsightOrder,
  type InsightQuestion,
  type Insights,
} from './insights.ts';

/** Rows read at once. */
const PART = 2_000;

const tell = (message: InsightMessage): void => postMessage(message);

const count = async (db: SpotterDb, question: InsightQuestion): Promise<Insights> => {
  const { account, project_id } = question;
  const rowsFrom = (at: number) =>
    db.near_misses
      .where('[account+project_id+bin+created_at]')
      .between([account, project_id, 0, at], [account, project_id, 0, Infinity]);
  let at = question.from ?? -Infinity;
  const total = await rowsFrom(at).count();
  const tally = tallyOf(question);
  let done = 0;
  /** Of the moment `at`: read with the part before, and again with the next one. */
  let again = new Set<string>();
  for (;;) {
    const rows: NearMissRow[] = await rowsFrom(at)
      .limit(PART + again.size)
      .toArray();
    const fresh = rows.filter((row) => !again.has(row.key));
    for (const row of fresh) tally.add(row);
    done += fresh.length;
    tell({ kind: 'progress', progress: { done, total } });
    const last = rows.at(-1);
    if (last === undefined || fresh.length === 0) return tally.result();
    const same = rows.filter((row) => row.created_at === last.created_at).map((row) => row.key);
    again = new Set(last.created_at === at ? [...again, ...same] : same);
    at = last.created_at;
  }
};

onmessage = async ({ data }: MessageEvent<InsightOrder>) => {
  const db = createDb(data.db_name);
  try {
    tell({ kind: 'done', insights: await count(db, data.question) });
  } catch (error) {
    tell({ kind: 'failed', detail: String(error) });
  } finally {
    db.close();
  }
};
