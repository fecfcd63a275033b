import { defineConfig } from 'vitest/config';

/**
 * The shared Vitest preset. `module-sync` before `node` makes every importer (ours as ESM, Pothos and Yoga as CJS)
 * resolve one copy of `graphql`; with two copies `instanceof GraphQLError` fails and codes become "internal".
 */
export const base = defineConfig({
  ssr: { resolve: { conditions: ['module-sync', 'node'], externalConditions: ['module-sync', 'node'] } },
  test: { passWithNoTests: false, testTimeout: 60_000, hookTimeout: 180_000, pool: 'forks' },
});
