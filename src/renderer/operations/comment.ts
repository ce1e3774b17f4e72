/** The operation that writes a comment on a near miss (decisions §18): its payload and its specification. */
import { z } from 'zod';
import {
  type OperationSpec,
  checkpointField,
  checkpointOf,
  noBytes,
  noCheckpoint,
  ofRecord,
  positiveId,
} from './spec.ts';

const commentSchema = z.object({
  key: z.string(),
  project_id: positiveId,
  /** Null if the near miss was created locally and had no id yet. */
  server_id: positiveId.nullable(),
  /** Plain text without outer spaces. */
  text: z.string(),
});
export type CommentToWrite = z.infer<typeof commentSchema>;

const commentNotes = checkpointOf({ recycled: checkpointField(z.boolean()) });
export type CommentNotes = z.infer<typeof commentNotes>;

/** Characters of a comment that name it in a list. */
const NAMED = 40;

export const nearMissCommentKind: OperationSpec<CommentToWrite, CommentNotes> = {
  ...ofRecord,
  ...noBytes,
  ...noCheckpoint,
  record: 'comment',
  does: 'makes',
  many: false,
  blocks: false,
  asks: null,
  order: 'beside',
  on_cancel: 'alone',
  payload: { 1: commentSchema },
  checkpoint: commentNotes,
  portable: { recycled: true },
  recycled: ({ recycled }) => recycled === true,
  // The comments of a near miss are read with the pending ones (data/comments).
  optimisticPatch: () => null,
  recordedChange: () => ({ before: {}, after: {}, edit: false }),
  about: ({ text }) => {
    const line = text.replace(/\s+/gu, ' ');
    return line.length > NAMED ? `${line.slice(0, NAMED).trimEnd()}…` : line;
  },
};
