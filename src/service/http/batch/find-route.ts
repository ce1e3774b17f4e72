/** Finds the endpoint of an operation in a batch by its method and path, with the precedence of the HTTP router. */
import { anyEndpoint, type EndpointName } from '../../../contract/rest/index.ts';

interface Route {
  readonly name: EndpointName;
  /** The path's values, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export type FindRoute = (method: string, path: string) => Route | null;

interface Node {
  readonly fixed: Map<string, Node>;
  any: Node | null;
  name: EndpointName | null;
}

const emptyNode = (): Node => ({ fixed: new Map(), any: null, name: null });

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** A fixed segment wins over a parameter, also if the rest of the path then fits only the parameter. */
const walk = (node: Node, segments: readonly string[], at: number): readonly string[] | null => {
  const segment = segments[at];
  if (segment === undefined) return node.name === null ? null : [node.name];
  const next = node.fixed.get(segment);
  const fixed = next === undefined ? null : walk(next, segments, at + 1);
  if (fixed !== null) return fixed;
  if (node.any === null || segment === '') return null;
  const rest = walk(node.any, segments, at + 1);
  return rest === null ? null : [segment, ...rest];
};

export const findRouteOf = (names: readonly EndpointName[]): FindRoute => {
  const roots = new Map<string, Node>();
  for (const name of names) {
    const { method, path } = anyEndpoint(name);
    let node = roots.get(method) ?? emptyNode();
    roots.set(method, node);
    for (const segment of path.split('/')) {
      if (/^\{\w+\}$/.test(segment)) node = node.any ??= emptyNode();
      else {
        const next = node.fixed.get(segment) ?? emptyNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.name = name;
  }
  return (method, path) => {
    const root = roots.get(method);
    const found = root ? walk(root, path.split('/'), 0) : null;
    if (found === null) return null;
    const name = found.at(-1) as EndpointName;
    const keys = [...anyEndpoint(name).path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
    const values = found.slice(0, -1).map(decoded);
    if (values.includes(null)) return null;
    return { name, params: Object.fromEntries(keys.map((key, at) => [key, values[at] ?? ''])) };
  };
};
