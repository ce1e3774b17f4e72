/** `Per-Page`, `Total` and `Link` headers exactly as specified (reference: Pagination; decisions §2.2). */
export interface Page {
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

const isPageParameter = (pair: string): boolean => {
  const name = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name) === 'page';
  } catch {
    return false;
  }
};

/** Maximum characters of `Link`. Many clients and proxies reject headers over 16 KiB in all, some over 8 KiB. */
const LINK_MAX = 7 * 1024;

/**
 * Keeps the links that fit, most useful first. Without room for `next` it drops all, because a page without `next` would look
 * like the last.
 */
const fitting = (links: ReadonlyMap<string, string>): readonly string[] => {
  let room = LINK_MAX;
  const kept = new Set<string>();
  for (const rel of ['next', 'last', 'first', 'prev']) {
    const link = links.get(rel);
    if (link === undefined) continue;
    room -= link.length;
    if (room >= 0) kept.add(link);
    else if (rel === 'next') return [];
  }
  return [...links.values()].filter((link) => kept.has(link));
};

/**
 * Page 1 links next and last; page 2 first, next, last; later pages first, prev, next, last. The last page and pages past it
 * have no next. Undefined if everything fits on one page, or if the query is too long for a header.
 * @param rawQuery as the client sent it, without `?`
 */
export const linkHeader = (
  address: string,
  rawQuery: string,
  { page, per_page, total }: Page,
): string | undefined => {
  const last = Math.ceil(total / per_page);
  if (last <= 1) return undefined;
  const kept = rawQuery.split('&').filter((pair) => pair !== '' && !isPageParameter(pair));
  // Encodes characters that would end the address inside <…>. Browsers and ordinary clients never send them.
  const link = (to: number, rel: string): [string, string] => [
    rel,
    `<${address}?${[...kept, `page=${to}`].join('&').replace(/[<>"\s]/g, encodeURIComponent)}>; rel="${rel}"`,
  ];
  const links = fitting(
    new Map([
      ...(page >= 2 ? [link(1, 'first')] : []),
      ...(page >= 3 ? [link(page - 1, 'prev')] : []),
      ...(page < last ? [link(page + 1, 'next')] : []),
      link(last, 'last'),
    ]),
  );
  return links.length === 0 ? undefined : links.join(', ');
};
