/**
 * Decides which requests the shell's address accepts. Any page the user visits, and any program of another user of the machine,
 * can reach 127.0.0.1, so every request must name our exact host and come from our own page. Every call to the host must also
 * carry two secrets, issued only for an entry code (failures, row "Loopback server"; S24): a cookie that no script can read,
 * and a key that no browser sends automatically. Cookies ignore ports, so another program on 127.0.0.1 may receive the cookie;
 * alone it is useless.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Asking {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetch_site: string | undefined;
  readonly fetch_mode: string | undefined;
  /** True when the cookie matches this launch. */
  readonly holds_cookie: boolean;
  /** True when the key header matches this launch. */
  readonly holds_key: boolean;
}

export type Verdict =
  { readonly pass: true } | { readonly pass: false; readonly status: number; readonly why: string };

const refuse = (status: number, why: string): Verdict => ({ pass: false, status, why });

/** Compares in constant time for any lengths, because both sides are hashed first. */
export const same = (a: string, b: string): boolean => {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
};

const fromOurPage = (asking: Asking, origin: string): boolean => {
  if (asking.origin !== undefined && asking.origin !== origin) return false;
  if (asking.fetch_site === 'same-origin') return true;
  // An address that was typed, clicked in a terminal or opened by the shell. Such a visit may only navigate.
  const visit = asking.fetch_site === undefined || asking.fetch_site === 'none';
  return visit && asking.method === 'GET' && (asking.fetch_mode ?? 'navigate') === 'navigate';
};

/**
 * Judges a request. The window's files hold no data and are the same on every laptop, so they need no secret; neither does the
 * exchange of a code. Everything else needs both secrets.
 * @param origin `http://127.0.0.1:PORT`, the only address that is served
 * @param at base path of the host in this launch; the cookie is bound to it
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

/** A browser cookie. Its name contains the port, because cookies ignore ports and two shells may run on one machine. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** The secrets of one launch, 256 bits each, drawn at every start. */
export interface LaunchSecrets {
  /** Base path of the host. No other address has this path, so the cookie, which is bound to it, goes nowhere else. */
  readonly at: string;
  readonly cookie: Cookie;
  /** The key that the window's page keeps and sends as a header. */
  readonly key: string;
}

/** @param at a path from `drawPath` */
export const launchSecrets = (port: number, at: string): LaunchSecrets => ({
  at,
  key: secret(),
  cookie: { name: `spotter-${port}`, value: secret(), path: at },
});

export const drawPath = (): string => `/at-${secret()}`;

/** The cookie that carries a code to the shell's own browser. It is set over the pipe and spent by the first page. */
export const codeCookie = (port: number, code: string): Cookie => ({
  name: `spotter-code-${port}`,
  value: code,
  path: '/enter',
});

/** One-time codes, each exchanged for both secrets. A code expires after `lives` milliseconds or at its first use. */
export const entryCodes = (now: () => number, lives: number) => {
  const open = new Map<string, number>();
  return {
    issue(): string {
      for (const [code, until] of open) if (until <= now()) open.delete(code);
      const code = secret();
      open.set(code, now() + lives);
      return code;
    },
    /** True at the first use of a valid code. */
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
