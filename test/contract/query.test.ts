/** Query strings, both ways: what the host encodes is what the service decodes (decisions §2.4). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeQuery, encodeQuery } from '../../src/contract/rest/protocol/query.ts';
import { anyCharacter } from '../support/any-character.ts';

/** Objects without a prototype, as plain ones. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const name = fc.stringMatching(/^[a-z_]{1,12}$/).filter((one) => one !== '__proto__');
const leaf = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 }));

describe('decisions §2.4: query strings', () => {
  it('decisions §2.4: encoding and decoding is a round trip for texts, lists and nesting', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { minKeys: 1, maxKeys: 4 }))),
        (query) => {
          expect(plain(decodeQuery(encodeQuery(query)))).toEqual(plain(query));
        },
      ),
    );
  });

  it('decisions §2.4: the three spellings of a list decode to what the schema takes', () => {
    expect(plain(decodeQuery('filters[x][]=1&filters[x][]=2'))).toEqual({
      filters: { x: ['1', '2'] },
    });
    expect(plain(decodeQuery('filters[x]=1,2'))).toEqual({ filters: { x: '1,2' } });
    expect(plain(decodeQuery('filters[x]=1&filters[x]=2'))).toEqual({ filters: { x: ['1', '2'] } });
  });

  it('encodes numbers and booleans as texts, and leaves out what is undefined or null', () => {
    expect(encodeQuery({ page: 2, a: true, b: undefined, c: null, d: { e: [1, 2] } })).toBe(
      'page=2&a=true&d%5Be%5D%5B%5D=1&d%5Be%5D%5B%5D=2',
    );
  });

  it('failures S18: no text throws or reaches Object.prototype', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (raw) => {
        decodeQuery(raw);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
    decodeQuery('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('failures S18: a stray percent sign is kept as it was sent', () => {
    expect(plain(decodeQuery('a=100%&b=%zz'))).toEqual({ a: '100%', b: '%zz' });
  });
});
