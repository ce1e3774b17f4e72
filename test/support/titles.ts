/** Reads the titles of tests from their sources, for the checks that every clause and every failure has a test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** All test files below test/, named relative to it. */
export const testFiles = (): readonly { readonly name: string; readonly text: string }[] => {
  const root = join(import.meta.dirname, '..');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
};

/** Matches `it`, `slow`, `it.each([…])`, `test.each\`…\`` and so on, but not skipped, conditionally skipped or planned tests. */
const isTest = (callee: ts.Expression): boolean => {
  if (ts.isIdentifier(callee)) return /^(?:it|test|slow)$/.test(callee.text);
  if (ts.isPropertyAccessExpression(callee))
    return !/^(skip|skipIf|runIf|todo|fails)$/.test(callee.name.text) && isTest(callee.expression);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
};

/** Titles by source: several checks of one run read the same files. */
const known = new Map<string, readonly string[]>();

/** Titles of the tests in a file, as written; not comments, `describe` titles or bodies. */
export const titlesOf = (text: string): readonly string[] => {
  const had = known.get(text);
  if (had !== undefined) return had;
  const titles: string[] = [];
  known.set(text, titles);
  const visit = (node: ts.Node): void => {
    const [title, body] = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isCallExpression(node) && title && body && isTest(node.expression))
      titles.push(title.getText());
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true));
  return titles;
};
