/**
 * What has no token but a signature: form posts, segments, and reading bytes back (decisions §5.2, §5.5, §5.8). Bodies are
 * streams here, never buffered. After a refusal that leaves a body unread the connection is closed, so that a sender
 * of gigabytes is not listened to.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { forbidden, gone, notFound, Refusal } from '../domain/problem.ts';
import { isFileView, judgeFile, STORAGE_PREFIX, type SignedQuery } from '../files/addresses.ts';
import { FileGone } from '../files/file-store.ts';
import { postForm } from '../files/form-upload.ts';
import { answerFor, locate, servedFile, type Served } from '../files/reading.ts';
import { Interrupted } from '../files/receive.ts';
import { putSegment } from '../files/segment-upload.ts';
import { findStoredFile, isStoredFileKept, type StoredFileRow } from '../store/uploads.ts';

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

/** Nobody is left to answer, and it is no failure of the service. */
const quietly = async (reply: FastifyReply, work: () => Promise<FastifyReply>) => {
  try {
    return await work();
  } catch (error) {
    if (!reply.raw.req.complete) reply.header('Connection', 'close');
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
    open: (range) => files.read(upload, [part], range),
  };
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
  const verdict = judgeFile(signer, { company_id, id }, view, request.query as SignedQuery, now());
  if (verdict === 'forged') throw forbidden('This address is not one that the service made.');
  if (verdict === 'expired')
    throw forbidden('This address has expired. Read the record again for a new one.');
  const file = await findStoredFile(app.store.read, company_id, id);
  if (!file) throw notFound();
  if (!(await isStoredFileKept(app.store.read, company_id, id)))
    throw gone('This file was deleted.');
  try {
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

/** Registers the signed addresses in a scope of their own. */
export const mountFiles = (server: FastifyInstance, app: App): void => {
  const routes = (scope: FastifyInstance): void => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put('/segments/:company_id/:uuid/:position', (request, reply) =>
      quietly(reply, async () => {
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
    scope.post('/posts/:company_id/:uuid', (request, reply) =>
      quietly(reply, async () => {
        await postForm(app.uploads, placeOf(request), request.raw, app.uploads.now());
        return reply.code(204).send();
      }),
    );
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/files/:company_id/:id/:view',
      handler: (request, reply) => serveFile(app, request, reply),
    });
  };
  void server.register(
    (scope, _options, done) => {
      routes(scope);
      done();
    },
    { prefix: STORAGE_PREFIX },
  );
};
