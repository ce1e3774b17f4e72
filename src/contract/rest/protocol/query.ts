/**
 * Encodes and decodes query strings without the DOM: the host encodes, the service decodes. Brackets nest
 * (`filters[harm_source_id][]=1`) and a repeated name becomes an array (decisions §2.4).
 */
type Decoded = { [key: string]: string | string[] | Decoded };

const MAX_PAIRS = 2000;
const MAX_DEPTH = 4;

const text = (raw: string): string => {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return raw; // a stray %: keep the raw text, the schema decides
  }
};

const put = (into: Decoded, path: readonly string[], value: string): void => {
  const [name = '', ...rest] = path;
  if (rest.length === 0 || (rest.length === 1 && rest[0] === '')) {
    const had = into[name];
    const list = rest.length === 1;
    if (had === undefined) into[name] = list ? [value] : value;
    else if (typeof had === 'string') into[name] = [had, value];
    else if (Array.isArray(had)) had.push(value);
    else had[''] = value; // `a[b]=1&a=2`: the schema refuses the unknown name ''
    return;
  }
  const had = into[name];
  let next: Decoded;
  if (had !== undefined && typeof had !== 'string' && !Array.isArray(had)) next = had;
  else {
    next = Object.create(null) as Decoded;
    if (had !== undefined) next[''] = had;
    into[name] = next;
  }
  put(next, rest, value);
};

/**
 * Turns `filters[x][0]=1&filters[x][1]=2` into a plain list. Some clients number list items; the numbers only repeat the order.
 */
const unnumbered = (keys: readonly string[]): readonly string[] =>
  keys.length > 1 && /^\d{1,4}$/.test(keys.at(-1) ?? '') ? [...keys.slice(0, -1), ''] : keys;

/** Decodes a raw query string. Objects have no prototype, so `__proto__` is an ordinary name. */
export const decodeQuery = (raw: string): Record<string, unknown> => {
  const out = Object.create(null) as Decoded;
  for (const pair of raw.split('&').slice(0, MAX_PAIRS)) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = text(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : text(pair.slice(at + 1));
    const head = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name);
    const keys = head?.[2] ? [...head[2].matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1] ?? '') : [];
    if (!head || keys.length > MAX_DEPTH) put(out, [name], value);
    else put(out, [head[1] ?? '', ...unnumbered(keys)], value);
  }
  return out;
};

const pairs = (name: string, value: unknown, out: string[]): void => {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const item of value) pairs(`${name}[]`, item, out);
  else if (typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) pairs(`${name}[${key}]`, inner, out);
  else
    out.push(
      `${encodeURIComponent(name)}=${encodeURIComponent(String(value as string | number | boolean))}`,
    );
};

/** Encodes a nested query: `{filters: {harm_source_id: [1, 2]}}` -> `filters%5Bharm_source_id%5D%5B%5D=1&…`. No `?`. */
export const encodeQuery = (query: object): string => {
  const out: string[] = [];
  for (const [name, value] of Object.entries(query)) pairs(name, value, out);
  return out.join('&');
};
