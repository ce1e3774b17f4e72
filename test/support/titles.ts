/** What the tests are called, read from their sources: for those that check that every clause and every fault has one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Every file of tests below test/, by its name from there. */
export const testFiles = (): readonly { readonly name: string; readonly text: string }[] => {
  const root = join(import.meta.dirname, '..');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
};

/** `it`, `it.each([…])`, `test.each\`…\`` and so on; not what is skipped, perhaps skipped, or only planned. */
const isTest = (callee: ts.Expression): boolean => {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test';
  if (ts.isPropertyAccessExpression(callee))
    return !/^(skip|skipIf|runIf|todo|fails)$/.test(callee.name.text) && isTest(callee.expression);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
};

/** The titles of the tests in a file, as they are written: never a comment, a `describe` or a body. */
export const titlesOf = (text: string): string[] => {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [title, body] = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isCallExpression(node) && title && body && isTest(node.expression))
      titles.push(title.getText());
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true));
  return titles;
};
