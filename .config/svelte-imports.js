/**
 * `npm run check`: shows dependency-cruiser all imports of a Svelte component. dependency-cruiser compiles components and reads
 * the imports of the result, where type imports are gone, but type imports count for the rules too. So this compiler returns
 * only the component's imports, unchanged.
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
