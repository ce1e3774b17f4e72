/** `Per-Page`, `Total` and `Link` to the letter (reference: Pagination; decisions §2.2). */
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

/** Characters of a Link. Many clients and proxies refuse an answer whose headers have more than 16 KiB, some of 8 KiB. */
const LINK_MAX = 7 * 1024;

/** Those that fit together, the ones that a client follows first. Without its next, a page would look like the last: then none. */
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
 * Page 1 names next and last; page 2 first, next, last; from page 3 first, prev, next, last. The last page, and
 * any past it, has no next. Undefined where everything fits on one page, and where the query is too long for a header.
 * `rawQuery` is what the client sent, without `?`.
 */
export const linkHeader = (
  address: string,
  rawQuery: string,
  { page, per_page, total }: Page,
): string | undefined => {
  const last = Math.ceil(total / per_page);
  if (last <= 1) return undefined;
  const kept = rawQuery.split('&').filter((pair) => pair !== '' && !isPageParameter(pair));
  // Characters that would end the address inside <…> are only ever sent by something that is no browser or client.
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
