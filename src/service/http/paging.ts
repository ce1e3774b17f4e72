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

/**
 * Page 1 names next and last; page 2 first, next, last; from page 3 first, prev, next, last. The last page, and
 * any past it, has no next. Undefined where everything fits on one page. `rawQuery` is what the client sent, without `?`.
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
  const link = (to: number, rel: string): string =>
    `<${address}?${[...kept, `page=${to}`].join('&').replace(/[<>"\s]/g, encodeURIComponent)}>; rel="${rel}"`;
  return [
    ...(page >= 2 ? [link(1, 'first')] : []),
    ...(page >= 3 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
};
