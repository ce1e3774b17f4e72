/**
 * Routes with a signature instead of a token: form posts, segments, and reading bytes (decisions §5.2, §5.5, §5.8).
 * Bodies are streamed, never buffered.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { App } from '../app.ts';
import { forbidden, gone, methodNotAllowed, notFound, Refusal } from '../domain/problem.ts';
import {
  isFileView,
  judgeFile,
  STORAGE_PREFIX,
  type SignedQuery,
  type Verdict,
} from '../files/addresses.ts';
import { FileGone } from '../files/file-store.ts';
import { postForm } from '../files/form-upload.ts';
import { PROOF_NONCE, PROOF_TYPE } from '../../contract/rest/protocol/proof.ts';
import { answerFor, locate, servedFile, type Served } from '../files/reading.ts';
import { Interrupted } from '../files/receive.ts';
import { putSegment } from '../files/segment-upload.ts';
import { findStoredFile, isStoredFileKept, type StoredFileRow } from '../store/uploads.ts';

const SEGMENT = '/segments/:company_id/:uuid/:position';
const POST = '/posts/:company_id/:uuid';
const FILE = '/files/:company_id/:id/:view';

const ID = /^[1-9]\d{0,15}$/;
const POSITION = /^(0|[1-9]\d{0,5})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const read = (request: FastifyRequest, name: string, pattern: RegExp): string => {
  const value = (request.params as Record<string, unknown>)[name];
  if (typeof value !== 'string' || !pattern.test(value)) throw notFound();
  return value;
};

const placeOf = (request: FastifyRequest) => ({
  company_id: Number(read(request, 'company_id', ID)),
  uuid: read(request, 'uuid', UUID),
});

/**
 * Up to this size a refused body is drained after the response, because closing the connection during an upload often
 * loses the response. A larger body, or one of unknown size, is not read further.
 */
const DRAINED = 128 * 1024 * 1024;

const withBody = async (
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> => {
  try {
    return await work();
  } catch (error) {
    const length = Number(request.headers['content-length'] ?? Infinity);
    // Node drains a body only if nothing has read from it yet.
    if (length <= DRAINED) request.raw.resume();
    else if (!request.raw.complete) reply.header('Connection', 'close');
    if (error instanceof Interrupted)
      throw new Refusal(400, ['IncompleteBody: the body was cut off.']);
    throw error;
  }
};

const thumbnailOf = async (app: App, file: StoredFileRow): Promise<Served> => {
  const { files, thumbnails } = app.uploads;
  const { upload, parts } = await locate(app.store.read, file);
  const part = await thumbnails.ensure(upload, parts);
  return {
    size: part.size,
    etag: `"${file.sha256}-thumbnail"`,
    type: 'image/jpeg',
    disposition: 'inline; filename="thumbnail.jpg"',
    open: (range) => files.send(upload, [part], range),
  };
};

/** @throws Refusal 403 */
export const requireGood = (verdict: Verdict): void => {
  if (verdict === 'forged') throw forbidden('This address is not one that the service made.');
  if (verdict === 'expired')
    throw forbidden('This address has expired. Read the record again for a new one.');
};

const serveFile = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const company_id = Number(read(request, 'company_id', ID));
  const id = Number(read(request, 'id', ID));
  const view = read(request, 'view', /^[a-z]+$/);
  if (!isFileView(view)) throw notFound();
  const { signer, files, now } = app.uploads;
  requireGood(judgeFile(signer, { company_id, id }, view, request.query as SignedQuery, now()));
  const file = await findStoredFile(app.store.read, company_id, id);
  if (!file) throw notFound();
  if (!(await isStoredFileKept(app.store.read, company_id, id)))
    throw gone('This file was deleted.');
  try {
    const proof =
      view === 'content' && request.method === 'GET'
        ? await app.uploads.prover.prove(file, request.headers[PROOF_NONCE])
        : null;
    if (proof !== null)
      return await reply
        .header('Content-Type', PROOF_TYPE)
        .header('Cache-Control', 'no-store')
        .send(Buffer.from(JSON.stringify(proof)));
    const served =
      view === 'thumbnail'
        ? await thumbnailOf(app, file)
        : await servedFile(app.store.read, files, file, view);
    const answer = answerFor(served, {
      head: request.method === 'HEAD',
      range: request.headers.range,
      if_range: request.headers['if-range'] as string | undefined,
      if_none_match: request.headers['if-none-match'],
    });
    reply.code(answer.status).headers(answer.headers);
    if (answer.range === null) return await reply.send();
    return await reply.send(await served.open(answer.range === 'all' ? null : answer.range));
  } catch (error) {
    if (!(error instanceof FileGone)) throw error;
    request.log.error({ err: error }, 'bytes are missing');
    throw gone('The bytes of this file are missing.');
  }
};

/** Answers the other methods of a path with 405 and the allowed ones (decisions §1.2). */
const refuseOthers = (scope: FastifyInstance, url: string, taken: readonly HTTPMethods[]): void => {
  const others = (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).filter(
    (method) => !taken.includes(method),
  );
  scope.route({
    method: others,
    url,
    handler: () => Promise.reject(methodNotAllowed(taken)),
  });
};

/** Registers the signed routes in a separate scope. */
export const mountFiles = (server: FastifyInstance, app: App): void => {
  const routes = (scope: FastifyInstance): void => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put(SEGMENT, (request, reply) =>
      withBody(request, reply, async () => {
        const etag = await putSegment(app.uploads, {
          place: placeOf(request),
          position: Number(read(request, 'position', POSITION)),
          query: request.query as SignedQuery,
          headers: request.headers,
          body: request.raw,
          now: app.uploads.now(),
        });
        return reply.code(200).header('ETag', `"${etag}"`).send();
      }),
    );
    scope.post(POST, (request, reply) =>
      withBody(request, reply, async () => {
        await postForm(app.uploads, placeOf(request), request.raw, app.uploads.now());
        return reply.code(204).send();
      }),
    );
    scope.route({
      method: ['GET', 'HEAD'],
      url: FILE,
      handler: (request, reply) => serveFile(app, request, reply),
    });
    refuseOthers(scope, SEGMENT, ['PUT']);
    refuseOthers(scope, POST, ['POST']);
    refuseOthers(scope, FILE, ['GET', 'HEAD']);
  };
  void server.register(
    (scope, _options, done) => {
      routes(scope);
      done();
    },
    { prefix: STORAGE_PREFIX },
  );
};
