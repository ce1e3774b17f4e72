/**
 * [ours] `/oauth/token` gives a service account a bearer for its client id and secret (RFC 6749 §4.4), `/oauth/revoke` ends one
 * (RFC 7009). Both stand outside the contract, because their bodies and refusals are those of the two RFCs (decisions §12.8). A
 * wrong secret counts as a guess. A right one is accepted even after too many guesses: behind a proxy all clients have one address,
 * so a stranger's guesses would keep every program out.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { findClient, giveBearer, revokeBearer, type Client } from '../../domain/access/bearers.ts';
import { JSON_TYPE } from '../errors.ts';
import { limitBodyTime } from '../limits/body-time.ts';
import { guessLimit, type GuessLimit } from '../limits/guess-limit.ts';
import { rateLimit, type RateLimit } from '../limits/rate-limit.ts';
import { answerOauthError, invalidClient, invalidRequest, OauthError } from './oauth-error.ts';
import {
  BODY_BYTES,
  credentialsOf,
  parametersIn,
  useTokenBodies,
  type Parameters,
} from './token-request.ts';

interface Asked {
  readonly app: App;
  readonly guesses: GuessLimit;
  /** Requests by secret. */
  readonly limits: RateLimit;
  readonly request: FastifyRequest;
  readonly parameters: Parameters;
}

/** @throws OauthError 401, or Refusal 429 */
const clientOf = async ({ app, guesses, limits, request, parameters }: Asked): Promise<Client> => {
  const credentials = credentialsOf(request, parameters);
  const moment = { now: app.now(), steady: app.steady() };
  const client = await findClient(app.store.read, credentials, moment.now);
  if (!client) {
    guesses.count(request.ip, moment);
    throw invalidClient();
  }
  limits.count(String(client.id), moment);
  return client;
};

const GRANT = 'client_credentials';

const giveToken = async (asked: Asked): Promise<object> => {
  const { app, parameters } = asked;
  const grant = parameters.get('grant_type');
  if (grant === undefined) throw invalidRequest('grant_type is missing.');
  if (grant !== GRANT)
    throw new OauthError('unsupported_grant_type', `The only grant_type is ${GRANT}.`);
  const client = await clientOf(asked);
  if (parameters.has('scope'))
    throw new OauthError(
      'invalid_scope',
      'There are no scopes: the level of the account says what its bearers may do.',
    );
  const window = app.options['account-bearer-window'];
  const { company_id } = client;
  const bearer = await app.store.write(
    (tx) => giveBearer(tx, client, app.now(), window),
    company_id,
  );
  if (!bearer) throw invalidClient();
  return bearer;
};

/** The answer has a body, although RFC 7009 needs none, because some clients parse it. */
const revoke = async (asked: Asked): Promise<object> => {
  const { app, parameters } = asked;
  const client = await clientOf(asked);
  const token = parameters.get('token');
  if (token === undefined) throw invalidRequest('token is missing.');
  const isOwn = await app.store.write((tx) => revokeBearer(tx, client, token), client.company_id);
  if (!isOwn)
    throw new OauthError('unauthorized_client', 'The token was not given to this client.');
  return {};
};

export const mountOauth = (server: FastifyInstance, app: App): void => {
  const guesses = guessLimit(app.options['enrolment-rate']);
  const limits = rateLimit(app.options['rate-limit']);
  void server.register((scope, _options, done) => {
    useTokenBodies(scope);
    limitBodyTime(scope, app);
    scope.setErrorHandler(answerOauthError);
    scope.addHook('onRequest', (_request, reply, next) => {
      reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache');
      next();
    });
    const post = (path: string, answer: (asked: Asked) => Promise<object>) =>
      scope.post(path, { bodyLimit: BODY_BYTES }, async (request, reply) => {
        const parameters = parametersIn(request);
        const body = await answer({ app, guesses, limits, request, parameters });
        return reply.type(JSON_TYPE).send(JSON.stringify(body));
      });
    post('/oauth/token', giveToken);
    post('/oauth/revoke', revoke);
    done();
  });
};
