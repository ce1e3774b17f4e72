/** Server addresses that a token may be sent to. */
import { expect, it } from 'vitest';
import { byteAddress, isThisMachine, normaliseAddress } from '../../src/host/http/address.ts';

it.each([
  ['safety.example.com', 'https://safety.example.com'],
  [' https://Safety.Example.com:8443/base/ ', 'https://safety.example.com:8443/base'],
  ['localhost:3210', 'http://localhost:3210'],
  ['127.0.0.1:3210', 'http://127.0.0.1:3210'],
  ['http://192.168.1.20:3210/', 'http://192.168.1.20:3210'],
  ['http://[::1]:80', 'http://[::1]'],
  ['http://nas', 'http://nas'],
  ['127.0.0.1.evil.example', 'https://127.0.0.1.evil.example'],
  ['127.evil.example', 'https://127.evil.example'],
])('%s becomes %s', (typed, address) => {
  expect(normaliseAddress(typed)).toEqual({ ok: true, value: address });
});

it.each([
  ['', 'address_missing'],
  ['http://safety.example.com', 'address_unprotected'],
  ['http://8.8.8.8', 'address_unprotected'],
  ['http://127.0.0.1.evil.example', 'address_unprotected'],
  ['ftp://safety.example.com', 'address_scheme'],
  ['https://me:secret@safety.example.com', 'address_login'],
  ['https://safety.example.com/?q=1', 'address_query'],
  ['https://', 'address_unreadable'],
  ['javascript:alert(1)', 'address_unreadable'],
])('refuses %j and says which fault of the address it is: %s', (typed, fault) => {
  const result = normaliseAddress(typed);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'bad_input', fault } });
});

it('a name that begins with 127 is not this machine', () => {
  expect(isThisMachine('127.8.9.10')).toBe(true);
  for (const name of ['127.0.0.1.evil.example', '127.evil.example'])
    expect(isThisMachine(name), name).toBe(false);
});

it('an address for bytes is http(s), without credentials, and never a step down from https', () => {
  expect(byteAddress('/files/1?sig=x', 'https://a.example/base')?.href).toBe(
    'https://a.example/files/1?sig=x',
  );
  expect(byteAddress('https://bytes.example/1', 'https://a.example')?.host).toBe('bytes.example');
  for (const given of [
    'http://a.example/1',
    'file:///etc/passwd',
    'https://u:p@a.example/',
    'data:,x',
  ])
    expect(byteAddress(given, 'https://a.example')).toBeNull();
});
