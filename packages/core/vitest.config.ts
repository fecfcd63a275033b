import { base } from '@postrider/vitest/base.ts';
import { defineConfig, mergeConfig } from 'vitest/config';

export default mergeConfig(
  base,
  defineConfig({ test: { name: 'core', globalSetup: ['./src/testing/postgres-global-setup.ts'] } }),
);
