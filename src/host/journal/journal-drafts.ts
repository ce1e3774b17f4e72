/**
 * Drafts of near misses in the journal: the newest state of each, and which ended. Every state has a logical clock (`at`), so
 * that lines from several windows converge in any order. The highest `at` wins. An ended draft returns only with a higher `at`
 * than its end.
 */
import type { EndedDraft, JournalDraft } from '../../contract/host.ts';
import { draftOf, type JournalLine, writeLine } from './journal-lines.ts';

/** Number of ended drafts to remember. A window that was closed for more ends than this still shows an ended draft. */
const KEEP = 10_000;

/** A draft in its serialized form, with the ids of its photos. */
export interface KeptDraft {
  readonly text: string;
  readonly bytes: number;
  readonly ids: readonly string[];
  readonly at: number;
}

export type DraftLine = Extract<JournalLine, { readonly t: 'draft' | 'ended' }>;

/** @param count called when a draft is added or removed, with its size and ids */
export const createDrafts = (
  idsIn: (value: unknown) => readonly string[],
  count: (kept: KeptDraft, by: 1 | -1) => void,
) => {
  const kept = new Map<string, KeptDraft>();
  const ended = new Map<string, number>();
  const over = ({ id, at }: EndedDraft): boolean => (ended.get(id) ?? -Infinity) >= at;
  const forget = (id: string): void => {
    const had = kept.get(id);
    if (had !== undefined) count(had, -1);
    kept.delete(id);
  };

  return {
    kept,
    /** True if the line would change the state. */
    isNews(line: DraftLine, text: string): boolean {
      if (line.t === 'ended') return line.ended.some((one) => !over(one));
      const had = kept.get(line.draft.id);
      if (over(line.draft)) return false;
      return had === undefined || (line.draft.at >= had.at && had.text !== text);
    },
    apply(line: DraftLine, text: string): void {
      if (line.t === 'draft') {
        const { id, at, photos } = line.draft;
        if (over(line.draft) || at < (kept.get(id)?.at ?? -Infinity)) return;
        forget(id);
        const now = { text, bytes: Buffer.byteLength(text), ids: idsIn(photos), at };
        kept.set(id, now);
        count(now, 1);
        return;
      }
      for (const one of line.ended) {
        if (over(one)) continue;
        ended.delete(one.id); // re-insert at the end: newest last
        ended.set(one.id, one.at);
        if ((kept.get(one.id)?.at ?? Infinity) <= one.at) forget(one.id);
      }
    },
    list: (): { drafts: JournalDraft[]; ended: EndedDraft[] } => ({
      drafts: [...kept.values()].map(({ text }) => draftOf(text)),
      ended: [...ended].map(([id, at]) => ({ id, at })),
    }),
    /** The compacted log: the fewest lines that restore this state. */
    lines(): string[] {
      const ends = [...ended].slice(-KEEP).map(([id, at]) => ({ id, at }));
      return [
        ...(ends.length > 0 ? [writeLine({ t: 'ended', ended: ends })] : []),
        ...[...kept.values()].map(({ text }) => text),
      ];
    },
  };
};
