/** `If-None-Match` with weak comparison (RFC 9110 §13.1.2). domain/etag.ts checks `If-Match` inside the transaction. */
export const noneMatch = (header: string | undefined, etag: string | undefined): boolean =>
  header !== undefined &&
  etag !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
