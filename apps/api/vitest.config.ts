import { base } from '@postrider/vitest/base.ts';
import { defineConfig, mergeConfig } from 'vitest/config';

export default mergeConfig(
  base,
  defineConfig({
    // `graphql` names its ES modules in `module` only, which Vite reads and Node does not: Pothos and Yoga, loaded by Node,
    // would get another copy than we do, and neither takes the other's schema.
    resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
    test: { name: 'api', globalSetup: ['@postrider/core/testing/postgres-global-setup.ts'] },
  }),
);
