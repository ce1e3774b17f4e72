/** Where a link may lead (contract/text/rich-text.ts): a public host, however its address is spelled, and nothing of this network. */
import { describe, expect, it } from 'vitest';
import { linkSchema } from '../../src/contract/text/rich-text.ts';
import { LITERALS } from '../support/addresses.ts';

const isLink = (href: string): boolean => linkSchema.safeParse(href).success;

describe('S15, S24: a link leads to a public host or is none', () => {
  it.each([
    'https://osha.example/1926?x=1#y',
    'http://www.example.com',
    'HTTPS://Example.COM:8443/a%20b',
    'https://münchen.example/ä',
    'http://93.184.216.34/',
    'https://localhost.example.com/',
    'https://10.example/',
    'mailto:lee@example.com?subject=Crane',
    'mailto:?subject=Crane&body=At%20gate%203',
    'tel:+1-555-0100;ext=3',
  ])('%s', (href) => {
    expect(isLink(href)).toBe(true);
  });

  it.each([
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    'a.b.localhost.',
    'nas',
    'router.',
    'printer.local',
    'printer.local.',
    'gate.lan',
    'x.internal',
    'x.home.arpa',
    'loc\u00adalhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '192.168.4.1',
    '172.20.0.1',
    ...LITERALS,
  ])('%s is none', (host) => {
    for (const [scheme, rest] of [
      ['http', '/'],
      ['https', ''],
      ['http', ':37301/x'],
      ['HTTP', '?q'],
    ])
      expect(isLink(`${scheme}://${host}${rest}`), `${scheme}://${host}${rest}`).toBe(false);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'smb://a.example/b',
    'ms-msdt:/x',
    'blob:https://a.example/x',
    '//a.example/x',
    '/waiting',
    '#/waiting',
    '',
    'https:',
    'https://',
    'https:a.example',
    'https:\\\\a.example',
    'http://user@a.example/',
    'https://user:pass@a.example',
    'https://a.example\\@127.0.0.1/',
    'http://a .example/',
    'http://\t127.0.0.1/',
    'ht\ntp://a.example',
    'tel:',
    'tel://127.0.0.1',
    'mailto:',
    'mailto://127.0.0.1/',
    'mailto:?attach=/etc/passwd',
    'mailto:lee@example.com?subject=a&attachment=/etc/passwd',
    `https://a.example/${'x'.repeat(2_000)}`,
    ' https://a.example',
  ])('%j is none', (href) => {
    expect(isLink(href)).toBe(false);
  });

  it('a long one is judged at once', () => {
    // Processor time, which no other program of the machine takes part in.
    const before = process.cpuUsage();
    for (const long of [
      'a.'.repeat(900),
      'a'.repeat(1_900),
      '1.'.repeat(900),
      '.local'.repeat(300),
    ])
      expect(isLink(`https://${long}:x`)).toBe(false);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
