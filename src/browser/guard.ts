/**
 * Who may speak to the shell's address. Any page the user visits, and any program of another user of the machine,
 * can reach 127.0.0.1; so every request must name our exact host and come from our own page, and every call to the host
 * must carry two secrets that only an entry code can buy (failures, row "Loopback server"; S24): a cookie that no script can
 * read, and a key that no browser sends by itself. Cookies know no ports: another program on 127.0.0.1 that gets a
 * visit may be sent one, and has nothing by it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Asking {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetch_site: string | undefined;
  readonly fetch_mode: string | undefined;
  /** Does the cookie open this launch? */
  readonly holds_cookie: boolean;
  /** Does the header? */
  readonly holds_key: boolean;
}

export type Verdict =
  { readonly pass: true } | { readonly pass: false; readonly status: number; readonly why: string };

const refuse = (status: number, why: string): Verdict => ({ pass: false, status, why });

/** Constant in time whatever the lengths: both sides are hashed first. */
export const same = (a: string, b: string): boolean => {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
};

const fromOurPage = (asking: Asking, origin: string): boolean => {
  if (asking.origin !== undefined && asking.origin !== origin) return false;
  if (asking.fetch_site === 'same-origin') return true;
  // The address typed, clicked in a terminal or opened by the shell: a visit, which only ever reads.
  const visit = asking.fetch_site === undefined || asking.fetch_site === 'none';
  return visit && asking.method === 'GET' && (asking.fetch_mode ?? 'navigate') === 'navigate';
};

/**
 * The window's files are the same on every laptop and hold no data: they answer without a secret, and so does the trade of a
 * code. Everything else does not.
 * @param origin `http://127.0.0.1:PORT`, the only address that is served
 * @param at where this launch's host answers: the path that its cookie is bound to
 */
export const judge = (asking: Asking, origin: string, at: string): Verdict => {
  if (asking.host !== new URL(origin).host)
    return refuse(421, `this program answers at ${origin} only`);
  if (!['GET', 'HEAD', 'POST'].includes(asking.method)) return refuse(405, 'GET or POST only');
  if (!fromOurPage(asking, origin)) return refuse(403, 'only its own window may ask');
  if (asking.method === 'POST' && asking.origin !== origin)
    return refuse(403, 'only its own window may ask');
  const open =
    asking.method === 'POST' ? asking.path === '/enter' : !asking.path.startsWith(`${at}/`);
  if (open) return { pass: true };
  if (!asking.holds_cookie)
    return refuse(401, 'this window was not opened by the program: open it again from Spotter');
  return asking.holds_key
    ? { pass: true }
    : refuse(403, 'this page was not let in by the program: open it again from Spotter');
};

const secret = (): string => randomBytes(32).toString('base64url');

/** A cookie as a browser keeps it. Names hold the port, which cookies do not know: two shells on one machine stay apart. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** What one launch is opened with: 256 bits each, made anew at every start. */
export interface LaunchSecrets {
  /** Where the host answers. Nobody else's address has this path, so the cookie, bound to it, is sent nowhere else. */
  readonly at: string;
  readonly cookie: Cookie;
  /** What the window's page holds and sends as a header. */
  readonly key: string;
}

/** @param at as drawn by `drawPath` */
export const launchSecrets = (port: number, at: string): LaunchSecrets => ({
  at,
  key: secret(),
  cookie: { name: `spotter-${port}`, value: secret(), path: at },
});

export const drawPath = (): string => `/at-${secret()}`;

/** Holds a code for the browser that the shell opens itself: put there over its pipe, spent by the first page. */
export const codeCookie = (port: number, code: string): Cookie => ({
  name: `spotter-code-${port}`,
  value: code,
  path: '/enter',
});

/** Codes that are traded once for both secrets. They end after `lives` milliseconds or at first use. */
export const entryCodes = (now: () => number, lives: number) => {
  const open = new Map<string, number>();
  return {
    issue(): string {
      for (const [code, until] of open) if (until <= now()) open.delete(code);
      const code = secret();
      open.set(code, now() + lives);
      return code;
    },
    /** True once per code. */
    redeem(code: string): boolean {
      for (const [known, until] of open) {
        if (!same(known, code)) continue;
        open.delete(known);
        return until > now();
      }
      return false;
    },
  };
};
