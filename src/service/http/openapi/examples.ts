/**
 * Generates the examples of the OpenAPI document from the validating schemas: a known value for the property's name, otherwise
 * one by type. A test parses every example with its schema.
 */
type Json = Readonly<Record<string, unknown>>;

/** By property name. A property needs a line only if its type alone makes a poor example. */
const known: Readonly<Record<string, unknown>> = {
  /** The id of a token. Ids of records are numbers. */
  id: '3f9c2a7b10de',
  code: 'K7MXP-4QRTD',
  description: '<p>Scaffold board slid off level 3</p>',
  description_plain_text: 'Scaffold board slid off level 3',
  title: 'Scaffolding, block B',
  incident_title: 'Scaffolding, block B',
  full_number: '7-3',
  type: 'near_miss',
  summary: 'Falling object',
  location: 'Block B, level 3',
  login: 'anna@example.com',
  filename: 'photo.jpg',
  response_filename: 'photo.jpg',
  content_type: 'image/jpeg',
  response_content_type: 'image/jpeg',
  uuid: '3f1c2a9e-5d0b-4c6e-9a47-0b8f4d2e6c11',
  upload_uuid: '3f1c2a9e-5d0b-4c6e-9a47-0b8f4d2e6c11',
  upload_uuids: ['3f1c2a9e-5d0b-4c6e-9a47-0b8f4d2e6c11'],
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  md5: '5d41402abc4b2a76b9719d911017c592',
  etag: '5d41402abc4b2a76b9719d911017c592',
  size: 300_000,
  url: 'https://spotter.example.com/storage/…?expires=…&signature=…',
  presentation_url: 'https://spotter.example.com/storage/…?expires=…&signature=…',
  thumbnail_url: 'https://spotter.example.com/storage/…?expires=…&signature=…',
  custom_field_1: 'Dry',
  limit: '1000000.00',
  insurance_type: 'General liability',
  insurance_provider: 'Harbour Mutual',
  policy_number: 'GL-20391',
  notes: 'Certificate on file',
  status: 'compliant',
  namespace: 'core',
  destination_url: 'https://hooks.example.com/spotter',
  resource_name: 'Near Misses',
  event_type: 'create',
  api_version: 'v1',
  origin_id: 'V-7',
  active: true,
  label: 'Weather',
  data_type: 'select',
  option: 'Dry',
  keep_previous: true,
  path: '/rest/v1.0/projects/2/incidents/near_misses',
  idempotency_key: '01JGFJJZ00CW7Q8M5T3N0XAZ1R',
};

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T12:00:00.000Z',
  date: '2026-01-15',
};

const textFor = (schema: Json, name: string): string => {
  const known = byFormat[String(schema['format'])];
  if (known !== undefined) return known;
  const words = name === 'name' || name === '' ? 'Falling object' : name.replaceAll('_', ' ');
  return words.padEnd(Number(schema['minLength'] ?? 0), '.');
};

const numberFor = (schema: Json): number =>
  Math.max(1, Number(schema['minimum'] ?? 1), Number(schema['exclusiveMinimum'] ?? 0));

const isNullable = ({ anyOf, type }: Json): boolean =>
  listOf(anyOf).some((one) => one['type'] === 'null') ||
  (Array.isArray(type) && type.includes('null'));

/** A body never names both a company and a project, so the example shows the company: a nullable project_id becomes null. */
const projectOf = (schema: Json): readonly (readonly [string, unknown])[] =>
  isNullable(schema) ? [['project_id', null]] : [];

const objectFor = (schema: Json): Json => {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const ofCompany = 'company_id' in properties || 'origin_id' in properties;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, one]) =>
      ofCompany && name === 'project_id' ? projectOf(one) : [[name, exampleOf(one, name)]],
    ),
  );
};

/** The non-null type of `type: ["string", "null"]`. */
const typeOf = (schema: Json): unknown => {
  const { type } = schema as { readonly type?: unknown };
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
};

const fits = (schema: Json, value: unknown): boolean => {
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (schema['const'] !== undefined) return schema['const'] === value;
  const type = typeOf(schema);
  if (Array.isArray(value)) return type === 'array';
  return type === typeof value || (type === 'integer' && typeof value === 'number');
};

/** A value that the schema accepts. @param name of the property */
export const exampleOf = (schema: Json, name = ''): unknown => {
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  const some = choices.find(({ type }) => type !== 'null') ?? choices[0];
  if (some) return exampleOf(some, name);
  const all = listOf(schema['allOf']);
  if (all.length > 0 && schema['type'] === undefined)
    return Object.assign({}, ...all.map((one) => exampleOf(one, name))) as Json;
  if (Object.hasOwn(known, name) && fits(schema, known[name])) return known[name];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (typeOf(schema)) {
    case 'object':
      return objectFor(schema);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as Json, name.replace(/s$/, ''))];
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return textFor(schema, name);
  }
};
