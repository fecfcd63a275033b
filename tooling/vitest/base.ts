import { defineConfig } from 'vitest/config';

/**
 * The shared Vitest preset. `module-sync` before `node` makes every importer (this code as ESM, Pothos and Yoga as CJS)
 * resolve one copy of `graphql`; with two copies `instanceof GraphQLError` fails and codes become "internal". `graphql` names
 * its ES modules only in `module`, which Vite reads and Node does not, so the alias gives both the same file.
 */
export const base = defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  ssr: { resolve: { conditions: ['module-sync', 'node'], externalConditions: ['module-sync', 'node'] } },
  test: {
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Each database client compiles WebAssembly, and V8 can abort the process when it frees such code:
    // https://github.com/nodejs/node/issues/64500.
    execArgv: ['--no-wasm-code-gc'],
    // What a test waits for may take long on a busy machine, and no test is about how long.
    expect: { poll: { timeout: 45_000 } },
  },
});
