// Lint rules for what the compiler cannot see. .config/dependency-cruiser.js has the import rules.
import svelte from 'eslint-plugin-svelte';
import * as regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Spreading a literal in place only shortens a line; its members must be written out. */
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

const defaults = {
  selector: 'ExportDefaultDeclaration',
  message: 'No default exports: a name is greppable.',
};

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
  // Components only: these rules would read every other file for nothing.
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
      // Importing a name that Node for Windows lacks, such as getuid, ends a program there before its first line.
      'no-restricted-imports': [
        'error',
        { name: 'node:process', message: 'Use the global process: Windows has not all its names.' },
        { name: '@lucide/svelte', message: 'Import from icons/…: this reads 4,000 icons.' },
      ],
      'no-restricted-syntax': ['error', defaults, ...spreads],
    },
  },
  {
    // A pattern with super-linear backtracking on long texts blocks everybody (failures S27), so each in the product is
    // checked.
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
      // A function fits a screen. The limit is what the longest has: lower it, never raise it.
      'max-lines-per-function': ['error', { max: 145, skipBlankLines: true, skipComments: true }],
      // Importing it reads all its names, among them Node's whole fetch: 40 ms of every start.
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
    files: ['test/**'],
    rules: {
      // Files of one worker share loaded modules, so a mocked module would depend on the order of files.
      'no-restricted-properties': [
        'error',
        ...['mock', 'doMock', 'hoisted'].map((property) => ({
          object: 'vi',
          property,
          message: 'Hand the function in: a module that another file has loaded is not replaced.',
        })),
      ],
    },
  },
  {
    files: ['*.config.ts', '**/*.config.ts', '**/*.config.js', '.config/**'],
    rules: { 'no-restricted-syntax': ['error', ...spreads] },
  },
  {
    files: ['test/renderer/**', 'test/e2e/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        defaults,
        ...spreads,
        {
          selector:
            'CallExpression > MemberExpression[optional=true][property.name=/^(focus|blur|click|select|dispatchEvent|addEventListener|scrollTo|scrollIntoView)$/]',
          message: 'An element that is not there yet is skipped: wait for it with found().',
        },
        {
          selector:
            'ExpressionStatement[expression.argument.callee.property.name=/^(click|dblclick|press|check|uncheck)$/] + ExpressionStatement > AwaitExpression > CallExpression[callee.name="drained"]',
          message:
            'The queue is empty before the press is queued, too: wait for what the press shows or sends first.',
        },
        {
          selector:
            'CallExpression[callee.name="expect"] > AwaitExpression > CallExpression > MemberExpression[property.name=/^(isVisible|isHidden|isEnabled|isDisabled|isChecked|innerText|allInnerTexts|textContent|inputValue|getAttribute|boundingBox)$/]',
          message:
            'The window may change a moment later: wait with expect(locator) or expect.poll.',
        },
        {
          selector:
            'CallExpression[callee.property.name="toHaveLength"] > MemberExpression > CallExpression[callee.name="expect"] > CallExpression > MemberExpression[property.name="elements"]',
          message: 'The window may change a moment later: wait with expect.poll.',
        },
      ],
    },
  },
  {
    files: components,
    languageOptions: {
      parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.svelte'] },
    },
    rules: { 'no-restricted-syntax': ['error', ...spreads], 'svelte/no-at-html-tags': 'error' },
  },
);
