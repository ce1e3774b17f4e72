// Lint: what the compiler cannot see. Who may import whom is .config/dependency-cruiser.js.
import svelte from 'eslint-plugin-svelte';
import * as regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** A literal that is spread where it stands, among arguments too, only keeps a line short: its members are written out, one under the other. */
const spreads = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write its fields out.',
  },
  {
    selector: 'ArrayExpression > SpreadElement > ArrayExpression',
    message: 'Write its items out.',
  },
  {
    selector: 'ArrayExpression > SpreadElement > TSAsExpression > ArrayExpression',
    message: 'Write its items out.',
  },
  {
    selector: ':matches(CallExpression, NewExpression) > SpreadElement > ArrayExpression',
    message: 'Write its items out.',
  },
  {
    selector:
      ':matches(CallExpression, NewExpression) > SpreadElement > TSAsExpression > ArrayExpression',
    message: 'Write its items out.',
  },
];

const components = ['**/*.svelte', '**/*.svelte.ts'];

export default tseslint.config(
  {
    ignores: [
      'node_modules/**',
      'out/**',
      'dist/**',
      'test-results/**',
      'screenshots/**',
      'test/bench/node_modules/**',
    ],
  },
  ...tseslint.configs.recommended,
  // Components alone: its rules would read every other file for nothing.
  ...svelte.configs['flat/recommended'].map((part) => ({
    ...part,
    files: part.files ?? components,
  })),
  {
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: 'error',
      // A name that Windows' Node does not have, as getuid, ends a program there before its first line.
      'no-restricted-imports': [
        'error',
        { name: 'node:process', message: 'Use the global process: Windows has not all its names.' },
        { name: '@lucide/svelte', message: 'Import from icons/…: this reads 4,000 icons.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'No default exports: a name is greppable.',
        },
        ...spreads,
      ],
    },
  },
  {
    // A pattern that goes back over long texts stops everybody (failures S27): each in the product is judged.
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    files: ['src/**'],
    rules: {
      // Importing it asks for each of its names, one of which is Node's whole fetch: 40 ms of every start.
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: 'node:http',
          allowTypeImports: true,
          message:
            "Take it by process.getBuiltinModule('node:http'): an import loads Node's fetch, too.",
        },
      ],
    },
  },
  {
    files: ['*.config.ts', '**/*.config.ts', '**/*.config.js', '.config/**'],
    rules: { 'no-restricted-syntax': ['error', ...spreads] },
  },
  {
    files: components,
    languageOptions: {
      parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.svelte'] },
    },
    rules: { 'no-restricted-syntax': ['error', ...spreads], 'svelte/no-at-html-tags': 'error' },
  },
);
