// Lint: what the compiler cannot see. Who may import whom between rooms is tsc's (one project per room);
// inside a room it is the no-restricted-imports rules below.
import svelte from 'eslint-plugin-svelte';
import * as regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const closed = (files, patterns, message) => ({
  files,
  rules: {
    'no-restricted-imports': ['error', { patterns: [{ group: patterns, message }] }],
  },
});

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
  ...svelte.configs['flat/recommended'],
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
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'No default exports: a name is greppable.',
        },
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
    files: ['*.config.ts', '**/*.config.ts', '**/*.config.js', '.config/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.svelte'] },
    },
    rules: { 'no-restricted-syntax': 'off', 'svelte/no-at-html-tags': 'error' },
  },
  closed(
    ['src/renderer/parts/**'],
    [
      '**/data/**',
      '**/outbox/**',
      '**/photos/**',
      '**/state/**',
      '**/screens/**',
      '**/host/**',
      '**/words/**',
    ],
    'parts import nothing of the other folders: give them what they show.',
  ),
  closed(
    ['src/renderer/screens/**'],
    [
      '**/outbox/engine*',
      '**/outbox/lanes*',
      '**/outbox/operations/**',
      '**/renderer/host/**',
      '../**/host/**',
    ],
    'screens enqueue; they do not drive the engine or the carrier.',
  ),
  closed(
    ['src/renderer/data/**', 'src/renderer/outbox/**'],
    ['**/screens/**', '**/parts/**', '**/state/**'],
    'data and outbox know no screen.',
  ),
  closed(
    ['src/service/domain/**'],
    ['**/http/**', '**/routes/**', 'fastify', 'kysely', 'better-sqlite3', 'pg'],
    'domain holds the rules: no SQL, no HTTP.',
  ),
  closed(
    ['src/service/store/**'],
    ['**/http/**', '**/routes/**', '**/domain/**'],
    'store imports nothing above it.',
  ),
);
