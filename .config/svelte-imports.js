/**
 * `npm run check`: lets dependency-cruiser see all that a Svelte component imports. dependency-cruiser compiles a component
 * and reads the imports of the result, where an import of types alone is gone; a wall and a circle count those too. So the
 * compiler that it asks for gives back the imports, as they stand in the component, and nothing else.
 */
import { registerHooks } from 'node:module';

const wrapper = new URL('svelte-imports.js?compiler', import.meta.url).href;

const compiler = `
import { parse, VERSION } from 'svelte/compiler';
const sources = (node) => {
  if (Array.isArray(node)) return node.flatMap(sources);
  if (node === null || typeof node !== 'object') return [];
  const inside = Object.values(node).flatMap(sources);
  const from = JSON.stringify(node.source?.value);
  if (node.type === 'ImportExpression') return [\`import(\${from});\`, ...inside];
  return from !== undefined && /^(?:Import|Export)/.test(node.type) ? [\`import \${from};\`, ...inside] : inside;
};
export { VERSION };
export const compile = (text) => ({ js: { code: sources(parse(text, { modern: true })).join('\\n') } });
`;

registerHooks({
  resolve: (name, context, next) =>
    name === 'svelte/compiler' && context.parentURL !== wrapper
      ? { url: wrapper, format: 'module', shortCircuit: true }
      : next(name, context),
  load: (url, context, next) =>
    url === wrapper
      ? { source: compiler, format: 'module', shortCircuit: true }
      : next(url, context),
});
