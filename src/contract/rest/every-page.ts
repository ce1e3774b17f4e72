/**
 * The pages of a list, one after the other. An answer may have so many bytes and no more; where the rows are large a page
 * of fewer of them fits, so a page that is too large is asked for again in smaller ones, from the same row on.
 */
import type { Problem, Result } from '../problem.ts';
import type { Paging } from './paging.ts';

export interface PageAsked {
  readonly page: number;
  readonly per_page: number;
}

interface Page {
  readonly data: readonly unknown[];
  readonly paging: Pick<Paging, 'has_next'> | null;
}

const isTooLarge = (problem: Problem): boolean =>
  problem.kind === 'broken_reply' && problem.looks_like === 'too_large';

/** The page that begins at the same row and has fewer of them; null where it has one. */
const smallerPage = ({ page, per_page }: PageAsked): PageAsked | null => {
  if (per_page === 1) return null;
  const parts = [2, 5].find((count) => per_page % count === 0) ?? per_page;
  return { page: (page - 1) * parts + 1, per_page: per_page / parts };
};

/** Every page, until the last one or a problem. A page that begins as the one before is of a server that knows no pages. */
export async function* everyPage<T extends Page>(
  per_page: number,
  ask: (asked: PageAsked) => Promise<Result<T>>,
): AsyncGenerator<Result<T>, void, void> {
  let asked: PageAsked = { page: 1, per_page };
  let before: string | undefined;
  for (;;) {
    const answer = await ask(asked);
    const smaller = !answer.ok && isTooLarge(answer.problem) ? smallerPage(asked) : null;
    const first = answer.ok ? JSON.stringify(answer.value.data[0]) : undefined;
    if (first !== undefined && first === before) return;
    before = first;
    if (smaller === null) yield answer;
    if (smaller !== null) asked = smaller;
    else if (!answer.ok) return;
    else if (answer.value.data.length === 0 || answer.value.paging?.has_next !== true) return;
    else asked = { ...asked, page: asked.page + 1 };
  }
}

/** All rows of a list. */
export const everyRow = async <Row>(
  per_page: number,
  ask: (
    asked: PageAsked,
  ) => Promise<Result<{ readonly data: readonly Row[]; readonly paging: Page['paging'] }>>,
): Promise<Result<Row[]>> => {
  const all: Row[] = [];
  for await (const answer of everyPage(per_page, ask)) {
    if (!answer.ok) return answer;
    all.push(...answer.value.data);
  }
  return { ok: true, value: all };
};
