/**
 * Keeps what was typed just before the window closes. A page that unloads gets no answer from IndexedDB any more, so a draft that
 * is not written yet goes to localStorage, which is synchronous. The next start moves it into the database.
 */
import { z } from 'zod';
import type { Deps, DraftRow, SpotterDb } from '../db/db.ts';
import { draftSchema } from './draft-schema.ts';
import { draftStamp } from './draft-stamp.ts';
import { saveDraft, unwrittenDrafts } from './drafts.ts';

type Parts = Pick<Deps, 'db' | 'clock'>;

const nameOf = (db: SpotterDb): string => `unload-drafts ${db.name}`;
const keptSchema = z.array(z.object({ at: z.number(), draft: draftSchema }));

const read = (db: SpotterDb): z.infer<typeof keptSchema> => {
  try {
    return keptSchema.parse(JSON.parse(localStorage.getItem(nameOf(db)) ?? '[]'));
  } catch {
    return [];
  }
};

const keep = ({ db, clock }: Parts): void => {
  const at = draftStamp(clock);
  const drafts = unwrittenDrafts().map((draft) => ({ at, draft }));
  if (drafts.length === 0) return;
  // Another window may have closed before this one.
  const ids = new Set(drafts.map(({ draft }) => draft.id));
  const others = read(db).filter(({ draft }) => !ids.has(draft.id));
  try {
    localStorage.setItem(nameOf(db), JSON.stringify([...others, ...drafts]));
  } catch {
    // No room. The write to the database may still succeed.
  }
};

/** Keeps unwritten drafts whenever the page is left. Returns a function that stops it. */
export function keepDraftsAtUnload(parts: Parts): () => void {
  const leave = (): void => keep(parts);
  window.addEventListener('pagehide', leave);
  return () => window.removeEventListener('pagehide', leave);
}

/** Moves the drafts of the last unload into the database, unless it has a newer state of them. */
export async function restoreUnloadDrafts(deps: Deps): Promise<void> {
  const { db } = deps;
  try {
    for (const { at, draft } of read(db)) {
      const [there, saved, ended] = await Promise.all([
        db.drafts.get(draft.id),
        db.near_misses.get(draft.id),
        db.tombstones.get(draft.id),
      ]);
      if (saved || ended || (there !== undefined && there.updated_at > at)) continue;
      await saveDraft(deps, draft as unknown as DraftRow);
    }
    localStorage.removeItem(nameOf(db));
  } catch {
    // The database takes no write now; the next start tries again.
  }
}
