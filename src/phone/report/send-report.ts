/**
 * Sends one report: announces it, sends its photos part by part, and asks the laptop to store it. After a break it resumes at the
 * laptop's offset. A repeated message changes nothing, because the report has an id that the phone drew.
 */
import type { BoxAnswer, BoxRefusal } from '../../contract/phone/box-messages.ts';
import type { Language } from '../../contract/languages.ts';
import { bytesFrom, type Chosen } from '../chosen-file.ts';
import { OldPoster, type Question, type Say } from './talk.ts';

const AGAIN_MS = 1_000;

export interface Report {
  /** 16 random bytes as hex. A changed report needs another. */
  readonly id: string;
  readonly text: string;
  readonly name: string;
  readonly language: Language;
  readonly photos: readonly Chosen[];
}

export type Outcome =
  | { readonly kind: 'stored'; readonly code: string }
  | { readonly kind: 'refused'; readonly why: BoxRefusal | 'unread'; readonly photo: number | null }
  | { readonly kind: 'old' };

export interface SendParts {
  readonly say: Say;
  readonly wait: (ms: number) => Promise<void>;
  /** `sent` of `size` bytes are on the laptop. `lost`: it does not answer at present. */
  readonly progress: (state: {
    readonly sent: number;
    readonly size: number;
    readonly lost: boolean;
  }) => void;
}

/** Hashes a photo. False if the phone cannot read it any more. */
const hashed = async (photo: Chosen): Promise<boolean> => {
  while (photo.sha256 === null) if ((await bytesFrom(photo, photo.hashed)) === null) return false;
  return true;
};

/**
 * Ends a report that was being sent when the page was reloaded: its answer may have been lost. Null if the laptop does not have all of
 * it, so that its user sends it again.
 */
export const resumeReport = async (
  report: string,
  { say, wait, progress }: SendParts,
): Promise<Outcome | null> => {
  for (;;) {
    try {
      const answer = await say({ ask: 'done', report });
      return answer.kind === 'stored' ? answer : null;
    } catch (error) {
      if (error instanceof OldPoster) return { kind: 'old' };
      progress({ sent: 0, size: 0, lost: true });
      await wait(AGAIN_MS);
    }
  }
};

export const sendReport = async (
  { id: report, text, name, language, photos }: Report,
  { say, wait, progress }: SendParts,
): Promise<Outcome> => {
  for (const [at, photo] of photos.entries())
    if (!(await hashed(photo))) return { kind: 'refused', why: 'unread', photo: at };
  const size = photos.reduce((sum, { file }) => sum + file.size, 0);
  const begin: Question = {
    ask: 'begin',
    report,
    text,
    name,
    language,
    photos: photos.map((one) => ({
      name: one.name,
      size: one.file.size,
      sha256: one.sha256 ?? '',
    })),
  };
  let sent = 0;
  /** Unless it is `coming`, the report is announced, which says how much the laptop has. */
  let last: BoxAnswer | null = null;

  /** Sends the next message and returns the answer; the index of a photo if the phone cannot read it. */
  const next = async (): Promise<BoxAnswer | number> => {
    if (last?.kind !== 'coming') return say(begin);
    const { received } = last;
    const at = photos.findIndex(({ file }, index) => (received[index] ?? 0) < file.size);
    const photo = photos[at];
    if (photo === undefined) return say({ ask: 'done', report });
    const offset = received[at] ?? 0;
    const bytes = await bytesFrom(photo, offset);
    return bytes === null ? at : say({ ask: 'part', report, photo: at, offset }, bytes);
  };

  for (;;) {
    try {
      const answer = await next();
      if (typeof answer === 'number') return { kind: 'refused', why: 'unread', photo: answer };
      if (answer.kind === 'stored') return answer;
      if (answer.kind === 'refused') return answer;
      last = answer;
      if (answer.kind === 'coming') sent = answer.received.reduce((sum, bytes) => sum + bytes, 0);
      progress({ sent, size, lost: false });
    } catch (error) {
      if (error instanceof OldPoster) return { kind: 'old' };
      last = null;
      progress({ sent, size, lost: true });
      await wait(AGAIN_MS);
    }
  }
};
