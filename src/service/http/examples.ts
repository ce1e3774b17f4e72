/**
 * Examples for the OpenAPI document, made from the schemas that validate: a value by the property's name where one is known,
 * else by its type. A test parses every one of them by its schema, so an example can never be wrong for long.
 */
type Json = Readonly<Record<string, unknown>>;

/** By property name. A new property needs a line only where its type alone makes a poor example. */
const known: Readonly<Record<string, unknown>> = {
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

/** Of what a company or one of its projects has, the example is the company's: a body never names both. */
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

/** `type: ["string", "null"]`: the one that says more. */
const typeOf = (schema: Json): unknown => {
  const { type } = schema as { readonly type?: unknown };
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
};

/** Is the known value of a type that this schema takes? */
const fits = (schema: Json, value: unknown): boolean => {
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (schema['const'] !== undefined) return schema['const'] === value;
  const type = typeOf(schema);
  if (Array.isArray(value)) return type === 'array';
  return type === typeof value || (type === 'integer' && typeof value === 'number');
};

/** A value that the schema takes. `name`: of the property it stands in. */
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
