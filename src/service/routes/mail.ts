/**
 * [ours] Mail: the API (decisions §16.2, §16.5), and the pages behind the addresses in mails, which need no token. Reading a page
 * changes nothing, because scanners of mail follow every address; only a POST ends mail (RFC 8058).
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languages, type Language } from '../../contract/languages.ts';
import { linkOf, readLinkKey } from '../../contract/near-miss-link.ts';
import { type mailEndpoints } from '../../contract/rest/access/mail.ts';
import type { App } from '../app.ts';
import * as preferences from '../domain/mail/mail-preferences.ts';
import { methodNotAllowed, notFound } from '../domain/problem.ts';
import { isUnsubscribe, MAIL_PREFIX } from '../mail/addresses.ts';
import { mailWords } from '../mail/words.ts';
import { findPreferences } from '../store/mail/mail-preferences.ts';
import type { Call, HandlersOf } from './handler.ts';

type MailEndpoint = keyof typeof mailEndpoints;

const ownerOf = ({ company_id, user, app }: Call<MailEndpoint>) => ({
  company_id,
  user,
  offered: app.mail.offered,
});

export const mailHandlers: HandlersOf<MailEndpoint> = {
  'mail_preferences.show': (call) => preferences.showPreferences(call.db, ownerOf(call)),
  'mail_preferences.update': (call) =>
    preferences.updatePreferences(call.db, ownerOf(call), call.body.mail, call.if_match),
  'mails.list': ({ db, company_id, query }) => preferences.listMails(db, company_id, query),
};

const UNSUBSCRIBE = '/unsubscribe/:company_id/:user_id/:signature';
const OPEN = '/near-misses/:language/:key';
/** A form with one field (RFC 8058) is far shorter. */
const BODY_BYTES = 4096;

/** System colours, so that the browser chooses them in the light and the dark theme. */
const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}' +
  'h1{font-size:1.4rem}' +
  'a,button{display:inline-block;font:inherit;padding:.6rem 1.2rem;border:1px solid ButtonBorder;border-radius:.4rem;' +
  'background:ButtonFace;color:ButtonText;text-decoration:none;cursor:pointer}' +
  ':focus-visible{outline:3px solid Highlight;outline-offset:2px}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/** `title` and `content` are ours, or digits and hyphens: nothing is escaped. */
const answerPage = (
  reply: FastifyReply,
  language: Language,
  { title, content }: { readonly title: string; readonly content: string },
): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .headers({
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
        `<title>${title}</title><style>${STYLE}</style><body>` +
        `<main><h1>${title}</h1>${content}</main></body></html>`,
    );

const parameter = (request: FastifyRequest, name: string, pattern: RegExp): string => {
  const value = (request.params as Record<string, unknown>)[name];
  if (typeof value !== 'string' || !pattern.test(value)) throw notFound();
  return value;
};

const ID = /^[1-9]\d{0,14}$/;

/** @throws Refusal 404 if the service did not make the address */
const subscriberOf = (request: FastifyRequest, app: App) => {
  const of = {
    company_id: Number(parameter(request, 'company_id', ID)),
    user_id: Number(parameter(request, 'user_id', ID)),
  };
  const signature = parameter(request, 'signature', /^[0-9a-f]{64}$/);
  if (!isUnsubscribe(app.uploads.signer, of, signature)) throw notFound();
  return of;
};

/** Registers the pages in a separate scope, whose bodies are not read. */
export const mountMailPages = (server: FastifyInstance, app: App): void => {
  const pages = (scope: FastifyInstance): void => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES },
      (_request, _body, done) => done(null, undefined),
    );
    scope.get(UNSUBSCRIBE, async (request, reply) => {
      const { language } = await findPreferences(app.store.read, subscriberOf(request, app));
      const { title, ask, press } = mailWords[language].page;
      const button = `<form method="post"><button>${press}</button></form>`;
      return answerPage(reply, language, { title, content: `<p>${ask}</p>${button}` });
    });
    scope.post(UNSUBSCRIBE, { bodyLimit: BODY_BYTES }, async (request, reply) => {
      const of = subscriberOf(request, app);
      await app.store.write((tx) => preferences.unsubscribe(tx, of), of.company_id);
      const { language } = await findPreferences(app.store.read, of);
      const { title, done } = mailWords[language].page;
      return answerPage(reply, language, { title, content: `<p>${done}</p>` });
    });
    scope.get(OPEN, (request, reply) => {
      const said = parameter(request, 'language', /^[a-z]{2}$/);
      const language = languages.find((one) => one === said);
      const key = parameter(request, 'key', /^at-/);
      const near_miss = readLinkKey(key);
      if (language === undefined || near_miss === null) throw notFound();
      const { title, press, otherwise } = mailWords[language].open_page;
      // A link and no redirect: browsers block a change to another scheme that nobody pressed, or show an error in place of the page.
      const content = `<p><a href="${linkOf(key)}">${press}</a></p><p>${otherwise(near_miss.number)}</p>`;
      return answerPage(reply, language, { title: title(near_miss.number), content });
    });
    for (const [url, taken] of [
      [UNSUBSCRIBE, ['GET', 'HEAD', 'POST']],
      [OPEN, ['GET', 'HEAD']],
    ] as const) {
      const all = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
      const method = all.filter((one) => !(taken as readonly string[]).includes(one));
      scope.route({ method, url, handler: () => Promise.reject(methodNotAllowed(taken)) });
    }
  };
  void server.register(
    (scope, _options, done) => {
      pages(scope);
      done();
    },
    { prefix: MAIL_PREFIX },
  );
};
