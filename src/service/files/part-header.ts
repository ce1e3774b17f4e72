/**
 * Reads the header of one part of a form as strictly as RFC 7578 writes it, because lenient readers disagree: of a
 * Content-Disposition that carries `name` twice one takes the first and another the last, and then what was checked on the
 * way in is not what somebody else would have read. Such a part is refused, whoever made it (failures S7).
 */

/** A header as the multipart parser gives it: names in lower case, each with its values in order. */
export type PartHeader = Readonly<Record<string, readonly string[] | undefined>>;

const VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s";=]+)`;
const PARAMETER = String.raw`;[ \t]*([\w*-]+)=${VALUE}`;
const DISPOSITION = new RegExp(
  String.raw`^form-data(?:[ \t]*${PARAMETER})*(?:[ \t]*;)?[ \t]*$`,
  'i',
);
const PARAMETERS = new RegExp(PARAMETER, 'g');

/** What is wrong with it, null when nothing is. A part without Content-Disposition is judged by whoever counts parts. */
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
