import { base } from '@postrider/vitest/base.ts';
import { defineConfig, mergeConfig } from 'vitest/config';

export default mergeConfig(
  base,
  defineConfig({
    test: {
      name: 'worker',
      globalSetup: ['@postrider/core/testing/postgres-global-setup.ts'],
      testTimeout: 120_000,
    },
  }),
);
