/**
 * Checks the header of a form part strictly by RFC 7578, because lenient parsers disagree. If a Content-Disposition
 * has `name` twice, one parser takes the first and another the last, so a check could see a different name than the
 * reader. Such a part is refused (failures S7).
 */

/** A header from the multipart parser: lower-case names with their values in order. */
export type PartHeader = Readonly<Record<string, readonly string[] | undefined>>;

const VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s";=]+)`;
const PARAMETER = String.raw`;[ \t]*([\w*-]+)=${VALUE}`;
const DISPOSITION = new RegExp(
  String.raw`^form-data(?:[ \t]*${PARAMETER})*(?:[ \t]*;)?[ \t]*$`,
  'i',
);
const PARAMETERS = new RegExp(PARAMETER, 'g');

/**
 * The problem of a part's header, or null. Accepts a missing Content-Disposition, because the limit on parts catches
 * that part.
 */
export const partHeaderProblem = (header: PartHeader): string | null => {
  const [disposition, second] = header['content-disposition'] ?? [];
  if (second !== undefined) return 'A part of the form has two Content-Disposition headers.';
  if (disposition === undefined) return null;
  if (!DISPOSITION.test(disposition))
    return 'The Content-Disposition of a part is malformed. Send form-data; name="…".';
  const names = [...disposition.matchAll(PARAMETERS)].map(([, name = '']) => name.toLowerCase());
  if (new Set(names).size !== names.length || names.includes('name*'))
    return 'The Content-Disposition of a part carries a parameter twice.';
  return null;
};
