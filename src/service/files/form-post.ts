/**
 * Parses the form post of an upload: all `fields`, then exactly one part `file` (decisions §5.5). The file is
 * accepted only after all fields were checked, so that a refused form stores nothing. Every limit of the parser is
 * set, because its defaults are infinite (failures S7, S8). A part that the parser skips silently (no name, not
 * form-data) still counts against the exact number of parts.
 */
import { Busboy } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { partHeaderProblem, type PartHeader } from './part-header.ts';
import { Interrupted } from './receive.ts';

/** Why a form was refused. `status` is the HTTP status. */
interface FormRefusal {
  readonly status: 400 | 403 | 413 | 415;
  readonly message: string;
}

export type FormOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: FormRefusal };

const refuse = (status: FormRefusal['status'], message: string): FormOutcome<never> => ({
  ok: false,
  refusal: { status, message },
});

/**
 * Maximum length of a field, in bytes: the policy contains a file name of up to 10,000 characters, escaped and in
 * base64.
 */
const FIELD_SIZE = 256 * 1024;
/** Maximum size of everything except the file, in bytes: fields, part headers, boundaries. */
const AROUND_THE_FILE = 1024 * 1024;

const parserFor = (request: IncomingMessage, fields: number, maxFile: number) => {
  const type = request.headers['content-type'];
  if (type === undefined || !/^multipart\/form-data\s*;/i.test(type)) return null;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      isPartAFile: (name, _type, filename) => name === 'file' || filename !== undefined,
      limits: {
        fields,
        files: 1,
        parts: fields + 1,
        fieldNameSize: 100,
        fieldSize: FIELD_SIZE,
        fileSize: maxFile + 1,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    return null; // no usable boundary
  }
};

/** The internal part stream of the parser, the only source of part headers. The version is pinned and tests cover it. */
interface Innards {
  readonly _parser: { readonly parser: NodeJS.EventEmitter };
}

/** Calls `wrong` for an ambiguous part header, before the parser interprets it. */
const watchHeaders = (
  parser: InstanceType<typeof Busboy>,
  wrong: (message: string) => void,
): void => {
  const { parser: parts } = (parser as unknown as Innards)._parser;
  parts.prependListener('part', (part: NodeJS.EventEmitter) => {
    part.on('header', (header: PartHeader) => {
      const problem = partHeaderProblem(header);
      if (problem !== null) wrong(problem);
    });
  });
};

export interface FormRules<T> {
  /** Exact number of fields. */
  readonly fields: number;
  /** Bytes. The parser lets one more byte through, so that the receiver can detect an oversized file. */
  readonly max_file: number;
  /** Checks the fields when the file starts: a message refuses the form with 403. */
  readonly judge: (fields: ReadonlyMap<string, string>) => string | null;
  /** Reads the file to its end. Its errors are rethrown. */
  readonly take: (file: Readable) => Promise<T>;
}

/**
 * Resolves once the form is complete and valid, or at the first problem, leaving the rest of the body unread. The
 * result of `take` counts only if the outcome is ok. Rethrows errors of `take`, `Interrupted` included.
 */
export const readFormPost = async <T>(
  request: IncomingMessage,
  rules: FormRules<T>,
): Promise<FormOutcome<T>> => {
  const parser = parserFor(request, rules.fields, rules.max_file);
  if (!parser) return refuse(415, 'Send the form as multipart/form-data with a boundary.');

  const fields = new Map<string, string>();
  let file: Readable | null = null;
  let taking: Promise<T> | null = null;
  const end = Promise.withResolvers<FormRefusal | null>();
  const stop = (status: FormRefusal['status'], message: string) => end.resolve({ status, message });
  watchHeaders(parser, (message) => stop(400, message));
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (file) stop(403, 'AccessDenied: a field follows the file. Send file last.');
    else if (fields.has(name)) stop(403, 'AccessDenied: a field was sent twice.');
    else if (valueCut) stop(403, 'AccessDenied: a field is longer than any that was issued.');
    else fields.set(name, value);
  });
  parser.on('file', (name, stream) => {
    file = stream;
    stream.on('error', () => undefined); // `take` gets the error from its iterator, the form from the parser
    const wrong =
      name === 'file' ? rules.judge(fields) : 'AccessDenied: the file is not under the name file.';
    if (wrong !== null) {
      stream.resume();
      stop(403, wrong);
      return;
    }
    taking = rules.take(stream);
    taking.catch(end.reject);
  });
  parser.on('filesLimit', () => stop(403, 'AccessDenied: more than one file.'));
  parser.on('fieldsLimit', () => stop(403, 'AccessDenied: more fields than were issued.'));
  parser.on('partsLimit', () =>
    stop(403, 'AccessDenied: more parts than the fields and one file.'),
  );
  parser.on('error', () => stop(400, 'The multipart body is cut off or malformed.'));
  parser.on('finish', () => end.resolve(null));
  let seen = 0;
  request.on('data', (chunk: Buffer) => {
    seen += chunk.length; // the parser discards an oversized header but would read it to its end
    if (seen > AROUND_THE_FILE + (file ? rules.max_file : 0))
      stop(413, 'EntityTooLarge: the form is larger than its fields and its file may be.');
  });
  request.on('close', () => {
    if (!request.complete) end.reject(new Interrupted('the sender went away'));
  });
  request.pipe(parser);

  try {
    const refusal = await end.promise;
    const taken = taking as Promise<T> | null;
    if (refusal) return { ok: false, refusal };
    return taken ? { ok: true, value: await taken } : refuse(403, 'AccessDenied: file is missing.');
  } finally {
    request.unpipe(parser);
    (file as Readable | null)?.destroy();
    await (taking as Promise<T> | null)?.catch(() => undefined);
  }
};
