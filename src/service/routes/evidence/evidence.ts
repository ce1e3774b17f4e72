/**
 * [ours] Evidence packs, signing keys and the log of administrative acts (decisions §19). A pack is a write that is logged and answers
 * an address; the address streams the ZIP, and reads a photo chunk by chunk. What the asker may see is judged again there.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languages } from '../../../contract/languages.ts';
import type { adminActEndpoints } from '../../../contract/rest/evidence/admin-acts.ts';
import type {
  EvidenceCreate,
  evidenceEndpoints,
} from '../../../contract/rest/evidence/evidence.ts';
import type { signingKeyEndpoints } from '../../../contract/rest/evidence/signing-keys.ts';
import type { App } from '../../app.ts';
import { listActs, recordAct } from '../../domain/evidence/admin-acts.ts';
import { makePack, packZipName, type Pack, type PackFile } from '../../domain/evidence/pack.ts';
import { requireRecord } from '../../domain/evidence/record.ts';
import { currentSigner, listSigningKeys } from '../../domain/evidence/signing-keys.ts';
import { wireTime } from '../../domain/near-misses/near-miss-view.ts';
import { forbidden, methodNotAllowed, notFound } from '../../domain/problem.ts';
import { judgePack, packAddress, STORAGE_PREFIX, type SignedQuery } from '../../files/addresses.ts';
import type { FileStore } from '../../files/file-store.ts';
import { isAdmin } from '../../store/evidence/names.ts';
import { actorOf } from '../context.ts';
import { requireGood } from '../files.ts';
import type { Call, HandlersOf } from '../handler.ts';

/** Milliseconds: a program that asked for a pack fetches it at once. */
const ADDRESS_MS = 600_000;

const viewOf = ({ with_names, language }: EvidenceCreate): string =>
  `${with_names ? 'names' : 'masked'}-${language}`;

const create = async (call: Call<'near_miss_evidence.create'>) => {
  const { app, db, company_id, user, params, body } = call;
  const { project_id, id: near_miss_id } = params;
  const target = { company_id, project_id, near_miss_id, user_id: user.id };
  const row = await requireRecord(db, target);
  // Without a key there will be no pack, and nothing to log.
  await currentSigner(db, app.webhooks.secrets);
  const number = `${row.incident_number}-${row.number}`;
  const { with_names } = body.evidence;
  await recordAct(db, actorOf(call), {
    act: 'evidence_exported',
    details: { project_id, near_miss_id, number, with_names },
  });
  const expires = app.uploads.now() + ADDRESS_MS;
  const place = { ...target, view: viewOf(body.evidence) };
  return {
    data: {
      url: call.base_url + packAddress(app.uploads.signer, place, expires),
      filename: packZipName(number),
      expires_at: wireTime(expires),
    },
  };
};

export const evidenceHandlers: HandlersOf<
  keyof typeof evidenceEndpoints | keyof typeof signingKeyEndpoints | keyof typeof adminActEndpoints
> = {
  'near_miss_evidence.create': create,
  'signing_keys.list': async ({ db }) => ({ data: await listSigningKeys(db) }),
  'admin_acts.list': ({ db, company_id, query }) => listActs(db, company_id, query),
};

/** Fails before the end of the photo if its bytes are not those that the receipt names, so that the download fails too. */
const checkedPhoto = async function* (files: FileStore, file: PackFile): AsyncGenerator<Buffer> {
  const { content } = file;
  if (Buffer.isBuffer(content)) return yield content;
  const hash = createHash('sha256');
  for await (const chunk of await files.read(content.upload, content.parts, null)) {
    hash.update(chunk as Buffer);
    yield chunk as Buffer;
  }
  if (hash.digest('hex') !== file.sha256)
    throw new Error(`${file.name} of an evidence pack is not what was stored`);
};

const zipOf = (files: FileStore, pack: Pack): { readonly zip: Readable; readonly size: bigint } => {
  const lastModified = new Date(pack.receipt.made_at);
  const meta = pack.files.map(({ name, size }) => ({ name, size, lastModified }));
  const entries = (function* () {
    for (const [index, file] of pack.files.entries())
      yield { name: file.name, lastModified, ...meta[index], input: checkedPhoto(files, file) };
  })();
  // The types of the web stream differ between Node and the DOM.
  const stream = makeZip(entries) as Parameters<typeof Readable.fromWeb>[0];
  return { zip: Readable.fromWeb(stream), size: predictLength(meta) };
};

const PACK = '/evidence/:company_id/:project_id/:near_miss_id/:user_id/:view';
const ID = /^[1-9]\d{0,15}$/;

const placeOf = (request: FastifyRequest) => {
  const values = request.params as Readonly<Record<string, string>>;
  const id = (name: string): number => {
    const value = values[name] ?? '';
    if (!ID.test(value)) throw notFound();
    return Number(value);
  };
  const [names, language] = (values['view'] ?? '').split('-');
  const known = languages.find((one) => one === language);
  if (known === undefined || (names !== 'names' && names !== 'masked')) throw notFound();
  const wanted: EvidenceCreate = { with_names: names === 'names', language: known };
  const place = {
    company_id: id('company_id'),
    project_id: id('project_id'),
    near_miss_id: id('near_miss_id'),
    user_id: id('user_id'),
    view: viewOf(wanted),
  };
  return { place, wanted };
};

const servePack = async (
  app: App,
  baseUrl: (request: FastifyRequest) => string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { place, wanted } = placeOf(request);
  const { signer, files, now } = app.uploads;
  requireGood(judgePack(signer, place, request.query as SignedQuery, now()));
  const { store } = app;
  if (!(await isAdmin(store.read, place)))
    throw forbidden('Whoever asked for this pack no longer administers the company.');
  const pack = await makePack({
    db: store.read,
    files,
    signer: await currentSigner(store.read, app.webhooks.secrets),
    target: place,
    wanted,
    now: app.now(),
    service: baseUrl(request),
  });
  const { zip, size } = zipOf(files, pack);
  return reply
    .headers({
      'Content-Type': 'application/zip',
      'Content-Length': String(size),
      'Content-Disposition': `attachment; filename="${packZipName(pack.receipt.near_miss.number)}"`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    .send(zip);
};

/** Registers the address of packs in a separate scope. @param baseUrl the address of the service, as the client used it */
export const mountEvidence = (
  server: FastifyInstance,
  app: App,
  baseUrl: (request: FastifyRequest) => string,
): void => {
  void server.register(
    (scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, ready) => ready(null, payload));
      // A HEAD would make a pack that nobody reads.
      scope.get(PACK, { exposeHeadRoute: false }, (request, reply) =>
        servePack(app, baseUrl, request, reply),
      );
      scope.route({
        method: ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
        url: PACK,
        handler: () => Promise.reject(methodNotAllowed(['GET'])),
      });
      done();
    },
    { prefix: STORAGE_PREFIX },
  );
};
