/** Says why an import file was refused. */
import type { ImportProblem } from '../../../outbox/transfer/import.ts';
import { problemLine } from '../../../words/problems.ts';
import { words } from '../../../words/company-words.ts';

export const importRefusal = (problem: ImportProblem): string => {
  const t = words.waiting.import;
  switch (problem.kind) {
    case 'not_zip':
      return t.not_zip;
    case 'not_ours':
      return t.not_ours;
    case 'newer':
      return t.newer;
    case 'damaged':
      return t.damaged(problem.detail);
    case 'hostile':
      return t.hostile(problem.detail);
    case 'too_big':
      return t.too_big(problem.detail);
    case 'stopped':
      return t.stopped;
    case 'other_server':
      return t.other_server;
    case 'problem':
      return problemLine(problem.problem);
  }
};
