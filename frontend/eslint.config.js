import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
// only for no-cycle: boundaries checks layers, but not cycles within one. eslint-plugin-import does not support eslint 10.
import * as importX from 'eslint-plugin-import-x';
import a11y from 'eslint-plugin-jsx-a11y-x';
import lingui from 'eslint-plugin-lingui';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/shared/api/contract.gen.d.ts'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: ['tsconfig.json', 'tsconfig.node.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // effects with a fetch, a timer or an event handler have nothing to return
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error', { allow: ['error'] }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [hooks.configs.flat['recommended-latest'], a11y.configs.recommended, lingui.configs['flat/recommended']],
    plugins: { boundaries, 'import-x': importX },
    settings: {
      ...importX.flatConfigs.typescript.settings,
      'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.tsx'] })],
      'import/resolver': { node: { extensions: ['.ts', '.tsx'] } },
      'boundaries/elements': [
        { type: 'locales', pattern: 'src/locales' },
        { type: 'shared', pattern: 'src/shared' },
        { type: 'trials', pattern: 'src/trials' },
        { type: 'feature', pattern: 'src/features/*', capture: ['name'] },
        { type: 'app', pattern: 'src/app' },
      ],
    },
    rules: {
      // dynamic imports are also checked
      'import-x/no-cycle': 'error',
      // shared -> trials -> features -> app; features do not import each other
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { from: { element: { type: 'shared' } }, allow: { to: { element: { type: ['shared', 'locales'] } } } },
            { from: { element: { type: 'trials' } }, allow: { to: { element: { type: ['shared', 'trials'] } } } },
            { from: { element: { type: 'feature' } }, allow: { to: { element: { type: ['shared', 'trials'] } } } },
            {
              from: { element: { type: 'feature' } },
              allow: { to: { element: { type: 'feature', captured: { name: '{{ from.element.captured.name }}' } } } },
            },
            { from: { element: { type: 'app' } }, allow: { to: { element: { type: ['shared', 'feature', 'app', 'locales'] } } } },
          ],
        },
      ],
    },
  },
  {
    // pages run in a browser, but their tests, which share a TypeScript program with them, run in node
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/**/*.test.{ts,tsx}', 'src/test/**'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'Buffer', 'global', 'require', '__dirname', '__filename', 'setImmediate'],
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
    },
  },
  {
    // tests may import the stand-ins in src/test, which replace parts of any layer
    files: ['src/**/*.test.{ts,tsx}', 'src/test/**'],
    rules: { 'boundaries/dependencies': 'off' },
  },
  {
    files: ['src/**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-properties': ['error', { object: 'vi', property: 'waitFor', message: 'It gives up after a second: use soon() of src/test.' }] },
  },
  {
    // build tools, which are not shipped
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', Buffer: 'readonly', URL: 'readonly', setTimeout: 'readonly' } },
    rules: { 'no-console': 'off', '@typescript-eslint/no-explicit-any': 'off' },
  },
);
