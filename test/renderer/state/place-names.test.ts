/** Names of places and accounts: sample data is labelled as such next to a local company on the same laptop. */
import { expect, it } from 'vitest';
import { accountName, placeName } from '../../../src/renderer/state/session/place-names.ts';

const none = { address: null, company: null, user: null, level: null };
const names = {
  address: null,
  company: { id: 1, name: 'Rita and Sons' },
  user: { id: 1, name: 'Rita', login: 'rita@firm.example' },
};

it('sample data and a local company on one laptop are told apart, in settings and where something waits', () => {
  expect(placeName({ kind: 'this_laptop', address: null })).toBe('Sample data');
  expect(placeName({ kind: 'local_company', address: null })).toBe('This laptop');
  expect(placeName({ kind: 'server', address: 'https://a.example' })).toBe('https://a.example');
  expect(placeName(null)).toBe('');
  expect(accountName({ kind: 'this_laptop', ...none, ...names })).toBe('Sample data');
  const reporter = { ...none, ...names, level: 'reporter' } as const;
  expect(accountName({ kind: 'this_laptop', ...reporter })).toBe('Sample data (Rita)');
  expect(accountName({ kind: 'local_company', ...none, ...names })).toBe('Rita and Sons (Rita)');
});
