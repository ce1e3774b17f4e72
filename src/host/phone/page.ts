/**
 * Serves the phone's page: one file with inline script and style. The content security policy lists their hashes, so that no
 * other script or style applies and nothing external loads.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface PhonePage {
  readonly html: () => Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const hashesOf = (html: string, element: 'script' | 'style'): string =>
  [...html.matchAll(new RegExp(`<${element}(?: type="module")?>([^]*?)</${element}>`, 'g'))]
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ') || "'none'";

/** Headers of every response. */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The company's privacy notice, which the window tells: both pages show it. */
export interface PrivacyNotice {
  text: string;
}

/** Where the notice goes, outside of every script and style, so that their hashes stay the same. */
const PLACE = '<p id="privacy" dir="auto"></p>';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns null if there is no such file, because the window was built without it. */
export const readPhonePage = async (
  path: string | null,
  notice: PrivacyNotice,
): Promise<PhonePage | null> => {
  const html = path === null ? null : await readFile(path, 'utf8').catch(() => null);
  if (html === null) return null;
  const policy = [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script')}`,
    `style-src ${hashesOf(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return {
    html: () =>
      Buffer.from(
        html.replace(PLACE, () => PLACE.replace('><', () => `>${escaped(notice.text)}<`)),
      ),
    headers: {
      ...ANSWER_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    },
  };
};
