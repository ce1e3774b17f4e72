/**
 * Who may speak to the shell's address. Any page the user visits, and any program of another user of the machine,
 * can reach 127.0.0.1; so every request must name our exact host, come from our own page, and carry the cookie that
 * only an entry code can buy (failures, row "Loopback server"; S24).
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
}

export type Verdict =
  { readonly pass: true } | { readonly pass: false; readonly status: number; readonly why: string };

/** The three files that answer without a cookie: they hold no data and can only trade a code for one. */
const ENTRY = new Set(['/enter', '/enter.js', '/icon.svg']);

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
 * @param origin `http://127.0.0.1:PORT`, the only address that is served
 * @param holdsKey does the cookie open this launch?
 */
export const judge = (asking: Asking, origin: string, holdsKey: boolean): Verdict => {
  if (asking.host !== new URL(origin).host)
    return refuse(421, `this program answers at ${origin} only`);
  if (!['GET', 'HEAD', 'POST'].includes(asking.method)) return refuse(405, 'GET or POST only');
  if (!fromOurPage(asking, origin)) return refuse(403, 'only its own window may ask');
  if (asking.method === 'POST' && asking.origin !== origin)
    return refuse(403, 'only its own window may ask');
  if (ENTRY.has(asking.path) || holdsKey) return { pass: true };
  return refuse(401, 'this window was not opened by the program: open it again from Spotter');
};

/** The cookie's name and value for one launch: 256 bits, made anew at every start, never written down. */
export const launchKey = (port: number) => ({
  // Cookies know no ports: the name keeps two shells on one machine apart.
  name: `spotter-${port}`,
  value: randomBytes(32).toString('base64url'),
});

/** Codes that are traded once for the cookie. They end after `lives` milliseconds or at first use. */
export const entryCodes = (now: () => number, lives: number) => {
  const open = new Map<string, number>();
  return {
    issue(): string {
      for (const [code, until] of open) if (until <= now()) open.delete(code);
      const code = randomBytes(32).toString('base64url');
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
