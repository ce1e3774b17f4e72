/**
 * Reads the pages of a list in order. A response has a size limit, so a page of large rows may not fit. Such a page is requested
 * again as smaller pages, starting at the same row.
 */
import type { Problem, Result } from '../../problem.ts';
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

/** A smaller page that begins at the same row; null if the page has one row. */
const smallerPage = ({ page, per_page }: PageAsked): PageAsked | null => {
  if (per_page === 1) return null;
  const parts = [2, 5].find((count) => per_page % count === 0) ?? per_page;
  return { page: (page - 1) * parts + 1, per_page: per_page / parts };
};

/**
 * Yields every page until the last one or a problem. If a page begins like the page before it, the server ignores paging: stop.
 */
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
