/** The OpenAPI document matches the service exactly, neither looser nor stricter (decisions §10). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEndpoint, endpointNames } from '../../src/contract/rest/index.ts';
import { components } from '../../src/service/http/openapi/components.ts';
import { openApiDocument } from '../../src/service/http/openapi/openapi.ts';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.ts';
import { checkAnswer } from '../support/openapi.ts';
import { startTestService, type Answer, type TestService } from '../support/service.ts';
import { askRow, rows, victimFor } from './matrix-rows.ts';
import { makeWorld, type World } from './matrix-world.ts';

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Parameter {
  readonly name: string;
  readonly description?: string;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly 'x-extension'?: boolean;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
const document = openApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: unknown;
  readonly tags: readonly { readonly name: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** Every property of every response, such as `NearMiss.number`, and whether it may be absent or null. */
const propertiesOf = (
  name: string,
  schema: Schema,
): { readonly at: string; readonly optional: boolean; readonly nullable: boolean }[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([property, one]) => [
    {
      at: `${name}.${property}`,
      optional: schema.required?.includes(property) !== true,
      nullable: one.type === 'null' || (one.anyOf ?? []).some(({ type }) => type === 'null'),
    },
    ...propertiesOf(`${name}.${property}`, one),
  ]),
  ...(schema.anyOf ?? []).flatMap((one) => propertiesOf(name, one)),
  ...(schema.items ? propertiesOf(`${name}[]`, schema.items) : []),
  ...(typeof schema.additionalProperties === 'object'
    ? propertiesOf(`${name}{}`, schema.additionalProperties)
    : []),
];

const answered = [
  ...[...components]
    .filter(([, { io }]) => io === 'output')
    .map(([name]) => [name, document.components.schemas[name] ?? {}] as const),
  ...operations.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      content?.['application/json']
        ? [[operationId, content['application/json'].schema] as const]
        : [],
    ),
  ),
].flatMap(([name, schema]) => propertiesOf(name, schema));

/** Properties that a response may omit, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'Upload.segments': 'an upload for a form post has none',
  'batch.send.operations[].body': 'a deletion has no body',
  'Catalog.incidents[].visible_to': 'an incident that is not private is seen by all',
  ...Object.fromEntries(
    [
      'ListedInsurance',
      'ProjectMembership',
      'TimeAndMaterialEntryAttachment',
      'TimeAndMaterialEntryAttachments',
      'WebhookTrigger',
    ].map((name) => [`${name}.updated_at`, 'only lists in the order of changes show it']),
  ),
};

describe('decisions §10: what the document promises', () => {
  it('failures S40, decisions §10: no field is left out without a reason, and none may be left out or null', () => {
    expect(answered.length).toBeGreaterThan(200);
    expect(
      answered
        .filter(({ optional }) => optional)
        .map(({ at }) => at)
        .sort(),
    ).toEqual(Object.keys(LEFT_OUT).sort());
    expect(answered.filter(({ optional, nullable }) => optional && nullable)).toEqual([]);
  });

  it('decisions §10: what is one of a few words is documented as that', () => {
    const { NearMiss, Insurance, Upload } = document.components.schemas;
    expect(NearMiss?.properties?.['type']).toEqual({ type: 'string', const: 'near_miss' });
    expect(NearMiss?.properties?.['full_number']).toEqual({ type: 'string' });
    expect(Insurance?.properties?.['status']?.enum).toContain('compliant_in_progress');
    expect(Upload?.properties?.['status']?.enum).toContain('associated');
  });

  it('decisions §10: one tag an operation, a token or an account’s bearer, words for each parameter, a trigger’s target_id', () => {
    expect(document.security).toEqual([{ token: [] }, { service_account: [] }]);
    expect(document.tags.map(({ name }) => name)).not.toContain('extension');
    const wordless = operations.flatMap(({ operationId, parameters }) =>
      parameters.flatMap(({ name, description = '' }) =>
        description === '' ? [`${operationId} ${name}`] : [],
      ),
    );
    expect(wordless).toEqual([]);
    for (const { operationId, tags, ...operation } of operations) {
      expect(tags, operationId).toHaveLength(1);
      const { extension } = anyEndpoint(operationId as (typeof endpointNames)[number]);
      expect(operation['x-extension'] === true, operationId).toBe(extension);
    }
    expect(anyEndpoint('webhook_triggers.create').path).toContain('/{target_id}/');
  });
});

describe('decisions §10: what the service answers', () => {
  let world: World;
  /** A service whose users sign in with a provider. */
  let signing: TestService;
  let provider: TestProvider;
  let signedIn: object;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    world = await makeWorld(
      await startTestService({ 'allow-private-webhooks': true, 'webhook-max-hooks': 1000 }),
    );
    const server = 'https://spotter.example.com';
    signing = await startTestService({ ...provider.options, 'public-url': server });
    const me = await signing.demo.get('/rest/v1.0/me');
    signedIn = await provider.signIn(String(me.json.login), server, signing.clock.now());
  });
  afterAll(async () => {
    await world.t.stop();
    await signing.stop();
    await provider.close();
  });

  /** Whether the document rejects the response with this body instead of the real one. */
  const isRefused = (method: string, url: string, { status, headers }: Answer, body: unknown) => {
    try {
      checkAnswer({ method, url, status, headers, text: JSON.stringify(body) });
      return false;
    } catch {
      return true;
    }
  };

  /** The response's body with one property removed or one added. */
  const spoilt = (body: unknown): (readonly [string, unknown])[] => {
    if (Array.isArray(body)) {
      const [first, ...rest] = body as unknown[];
      return spoilt(first).map(([what, one]) => [what, [one, ...rest]] as const);
    }
    if (typeof body !== 'object' || body === null) return [];
    const without = Object.keys(body).map((name) => {
      const { [name]: _, ...others } = body as Readonly<Record<string, unknown>>;
      return [`without ${name}`, others] as const;
    });
    return [...without, ['with another', { ...body, unheard_of: 1 }]];
  };

  for (const name of endpointNames)
    it(`failures S40, decisions §10: ${name} answers every field that is documented, and no other`, async () => {
      const given = rows[name];
      if (!given) throw new Error('no row in matrix-rows.ts');
      const row = name === 'sign_ins.create' ? { ...given, body: () => signedIn } : given;
      const { method, path, status } = anyEndpoint(name);
      const victim = await victimFor(world, name);
      // The client checks every response against the document.
      const owner = name.startsWith('sign_ins.') ? signing.demo : world.owner;
      const answer = await askRow(name, row, victim, owner, owner);
      expect(answer.status, answer.text).toBe(status);
      if (status === 204) return;
      const url = world.t.url + path.replaceAll(/\{\w+\}/g, '1');
      expect(isRefused(method, url, answer, answer.json)).toBe(false);
      const taken = spoilt(answer.json).filter(
        ([what, body]) => !isRefused(method, url, answer, body) && what !== 'without segments',
      );
      expect(taken.map(([what]) => what)).toEqual([]);
    });
});
