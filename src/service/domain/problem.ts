/**
 * The catalog of refusals. Routes and domain throw these; only http/ converts them to responses (decisions §1.2). Any other
 * thrown error is a bug and becomes a 500 without details.
 */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export class Refusal extends Error {
  readonly status: number;
  /** Texts about the whole request, or messages by dotted field name. */
  readonly errors: readonly string[] | FieldErrors;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    errors: readonly string[] | FieldErrors,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`refused with ${status}`);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

const said = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  new Refusal(status, [text], headers);

export const badRequest = (text: string): Refusal => said(400, text);
export const unauthorized = (): Refusal =>
  said(401, 'A valid access token is required: send it as "Authorization: Bearer <token>".', {
    'WWW-Authenticate': 'Bearer',
  });
export const forbidden = (text: string): Refusal => said(403, text);
/** The same response for missing and for forbidden records (decisions §1.1). */
export const notFound = (): Refusal => said(404, 'Not found.');
export const methodNotAllowed = (methods: readonly string[]): Refusal => {
  const allow = methods.join(', ');
  return said(405, `This address only takes ${allow}.`, { Allow: allow });
};
export const conflict = (text: string): Refusal => said(409, text);
export const gone = (text: string): Refusal => said(410, text);
export const preconditionFailed = (): Refusal =>
  said(412, 'The record changed since it was read. Read it again, then repeat the change.');
export const tooMany = (retryAfterSeconds: number): Refusal =>
  said(429, 'Too many requests. Wait before trying again.', {
    'Retry-After': String(retryAfterSeconds),
  });
/** 422, with `errors` by dotted field name. */
export const invalid = (errors: FieldErrors): Refusal => new Refusal(422, errors);
/** A secret that could be right and is not: such attempts are limited (decisions §12.5). */
export class WrongGuess extends Refusal {}
