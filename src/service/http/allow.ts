/** Finds the methods that an address accepts, for a 405 response and its `Allow` header (decisions §1.2). */
import { anyEndpoint, type EndpointName } from '../../contract/rest/index.ts';

/** Returns the methods of an address as `Allow` lists them. Empty if the contract has no such address. */
export type AllowOf = (path: string) => readonly string[];

export const allowOf = (names: readonly EndpointName[]): AllowOf => {
  const byPath = new Map<string, string[]>();
  for (const name of names) {
    const { method, path } = anyEndpoint(name);
    const methods = byPath.get(path) ?? [];
    methods.push(method, ...(method === 'GET' ? ['HEAD'] : []));
    byPath.set(path, methods);
  }
  const allowed = [...byPath].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
  return (path) => {
    const matches = allowed.filter(({ pattern }) => pattern.test(path));
    // A literal address wins over one that ends in a parameter, as in the router.
    const literal = matches.find(({ pattern }) => !pattern.source.endsWith('[^/]+$'));
    return literal ? literal.methods : matches.flatMap(({ methods }) => methods);
  };
};
