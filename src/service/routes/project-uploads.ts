/** [ours] The project variant of uploads (decisions §5.9). */
import { notFound } from '../domain/problem.ts';
import type { HandlersOf } from './handler.ts';

export const projectUploadHandlers: HandlersOf<'project_uploads.create'> = {
  'project_uploads.create': () => Promise.reject(notFound()),
};
