import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// The layers, one direction: a folder may import itself, core, and what its row names. `vscode` and `node:*` are rows too.
const layers = {
  core: [],
  vault: ['core', 'agents', 'node'],
  agents: ['core', 'node'],
  changes: ['core', 'node'],
  handoff: ['core', 'vault', 'agents', 'node'],
  library: ['core', 'vault', 'agents', 'changes', 'handoff', 'node'],
  extension: ['core', 'vault', 'agents', 'changes', 'handoff', 'library', 'node', 'vscode'],
  cli: ['core', 'vault', 'agents', 'changes', 'handoff', 'library', 'node'],
};
const folders = Object.keys(layers);

const inImportCall = ({ regex, message }) => ({
  selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\u002F')}/]`,
  message,
});

const restrict = (layer) => {
  const allowed = layers[layer];
  const patterns = folders
    .filter((folder) => folder !== layer && !allowed.includes(folder))
    .map((folder) => ({
      regex: `^(\\.\\./)+${folder}/`,
      message: `${layer} must not import ${folder}: see the layers in CONTRIBUTING.md.`,
    }));
  if (!allowed.includes('node')) {
    patterns.push(
      { regex: '^node:', message: `${layer} is pure: no Node.js modules.` },
      { regex: '^sql\\.js', message: `${layer} is pure: no database.` },
    );
  }
  if (!allowed.includes('vscode')) {
    patterns.push({ regex: '^vscode$', message: 'Only extension imports vscode.' });
  }
  return {
    files: [`src/${layer}/**/*.ts`],
    ignores: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
      // That rule does not look at import().
      'no-restricted-syntax': ['error', ...patterns.map(inImportCall)],
    },
  };
};

export default tseslint.config(
  { ignores: ['dist/', '.vscode-test/', 'test/fixtures/', 'test/sample/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
    },
  },
  ...folders.map(restrict),
  {
    files: ['src/cli/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      globals: {
        require: 'readonly',
        module: 'readonly',
        exports: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
      },
    },
  },
);
