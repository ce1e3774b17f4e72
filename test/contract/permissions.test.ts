/** The table of permissions (contract/rest/access/permissions.ts) against decisions §12.2, the endpoints and the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { levels, tokenLevels } from '../../src/contract/rest/access/levels.ts';
import {
  conditionOf,
  conditionWords,
  levelWords,
  permissionOf,
  refusalOf,
  ruleOf,
  rules,
  ruleWords,
  type Permission,
  type RuleName,
} from '../../src/contract/rest/access/permissions.ts';
import { anyEndpoint, endpointNames } from '../../src/contract/rest/index.ts';
import { openApiDocument } from '../../src/service/http/openapi/openapi.ts';
import { surfaceOf } from '../../src/service/http/plain.ts';

const page = readFileSync(new URL('../../src/contract/decisions.md', import.meta.url), 'utf8');

/** The cells of each row of the table in §12. */
const shown = page
  .split('\n## 12.')[1]
  ?.split('\n')
  .filter((line) => line.trimStart().startsWith('|') && !/^\s*\|\s*-/.test(line))
  .map((line) =>
    line
      .trim()
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const ruleNames = Object.keys(rules) as RuleName[];

describe('decisions §12.2: the table of permissions', () => {
  it('decisions §12.2: the page shows it', () => {
    const rows = ruleNames.map((name) => [
      ruleWords[name],
      ...levels.map((level) => {
        const condition = (rules[name] as Permission)[level];
        return condition === undefined ? 'no' : conditionWords[condition];
      }),
    ]);
    expect(shown).toEqual([['', ...levels.map((level) => levelWords[level])], ...rows]);
  });

  it('decisions §12.2: every rule is used, and an admin may call everything', () => {
    expect(new Set(Object.values(ruleOf))).toEqual(new Set(ruleNames));
    expect(Object.keys(ruleOf).sort()).toEqual([...endpointNames].sort());
    for (const name of endpointNames) expect(conditionOf(name, 'admin'), name).toBe('any');
  });

  it('decisions §12.2: who reads only writes nothing but own tokens and own choices of mail', () => {
    const writes = endpointNames.filter(
      (name) => anyEndpoint(name).method !== 'GET' && conditionOf(name, 'read_only') !== undefined,
    );
    expect(writes.sort()).toEqual([
      'enrolments.create',
      'mail_preferences.update',
      'my_tokens.create',
      'my_tokens.delete',
      'sign_ins.create',
    ]);
  });

  it('decisions §12.6: no level of a token allows what the level of its user does not', () => {
    const order = ['own_photos', 'own', 'own_or_answers', 'any'];
    for (const user of levels)
      for (const token of tokenLevels[user])
        for (const name of endpointNames) {
          const [allowed, asked] = [conditionOf(name, user), conditionOf(name, token)];
          if (asked === undefined) continue;
          expect(allowed, `${name}, ${token} of ${user}`).toBeDefined();
          expect(order.indexOf(allowed ?? '')).toBeGreaterThanOrEqual(order.indexOf(asked));
        }
  });

  it('decisions §12.2: x-permission is in the OpenAPI document, and in none of --plain', () => {
    const document = openApiDocument();
    const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
    for (const name of endpointNames) {
      const { path, method } = anyEndpoint(name);
      expect(paths[path]?.[method.toLowerCase()]?.['x-permission'], name).toEqual(
        permissionOf(name),
      );
    }
    expect(JSON.stringify(surfaceOf(true).document(document)).includes('x-permission')).toBe(false);
  });

  it('decisions §12.2: a refusal names the level, the act and the levels that may', () => {
    expect(refusalOf('insurances.create', 'Create an insurance', 'read_only')).toBe(
      'Your level in this company is "read only", which does not allow this (Create an insurance). It takes admin: an admin of the company can change your level.',
    );
    expect(refusalOf('near_misses.create', 'x', 'read_only')).toContain(
      'It takes reporter or standard or admin',
    );
  });
});
