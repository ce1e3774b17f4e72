/** The table of endpoints: what it promises at run time, and what does not compile. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { endpoint, pathId, type ParamNames } from '../../src/contract/rest/protocol/endpoint.ts';
import {
  anyEndpoint,
  endpointNames,
  type EndpointName,
  type Reply,
  type RequestInput,
} from '../../src/contract/rest/index.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import type { Handlers } from '../../src/service/routes/handler.ts';
import { handlers } from '../../src/service/routes/index.ts';

describe('contract: endpoints', () => {
  it('no two endpoints share method and path', () => {
    const seen = endpointNames.map(
      (name) => `${anyEndpoint(name).method} ${anyEndpoint(name).path}`,
    );
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('every path is one of the reference’s, or marked as an extension', () => {
    for (const name of endpointNames) {
      const { path, params, extension, status, reply } = anyEndpoint(name);
      expect(path).toMatch(/^\/(rest\/v\d\.\d|vapid\/webhooks|oauth\/token)\//);
      expect(Object.keys((params as z.ZodObject).shape).sort()).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one).sort(),
      );
      if (status === 204) expect(reply.safeParse(undefined).success).toBe(true);
      expect(typeof extension).toBe('boolean');
    }
  });

  it('decisions §1.2: a path id is digits without sign, exponent or leading zero', () => {
    for (const good of ['1', '42', '9007199254740991'])
      expect(pathId.parse(good)).toBe(Number(good));
    for (const bad of ['0', '01', '-1', '+1', '1.0', '1e3', '', ' 1', '9007199254740992', '٣'])
      expect(pathId.safeParse(bad).success, bad).toBe(false);
  });

  it('types: names, parameters, bodies and replies follow from the table', () => {
    expectTypeOf<ParamNames<'/a/{b}/c/{d}'>>().toEqualTypeOf<'b' | 'd'>();
    expectTypeOf<RequestInput<'near_misses.show'>['params']>().toEqualTypeOf<{
      project_id: number;
      id: number;
    }>();
    expectTypeOf<Reply<'near_misses.list'>['data']>().toEqualTypeOf<NearMiss[]>();
    expectTypeOf<RequestInput<'near_misses.list'>['body']>().toEqualTypeOf<undefined>();
    expectTypeOf<'near_misses.lsit'>().not.toExtend<EndpointName>();
    // Handlers of the service: leaving one out, or misspelling one, does not compile.
    const { 'me.show': _, ...withoutOne } = handlers;
    expectTypeOf(withoutOne).not.toExtend<Handlers>();
    expectTypeOf(handlers).toExtend<Handlers>();
    // @ts-expect-error a parameter without a schema does not compile
    endpoint({ method: 'GET', path: '/a/{id}', params: {}, tag: 'x', summary: 'x' });
    // @ts-expect-error a schema without a parameter does not compile
    endpoint({ method: 'GET', path: '/a', params: { id: pathId }, tag: 'x', summary: 'x' });
    // A batch has none: its operations have theirs.
    expect([...Object.keys(handlers), 'batch.send'].sort()).toEqual([...endpointNames].sort());
  });
});
