import { base } from '@postrider/vitest/base.ts';
import { defineConfig, mergeConfig } from 'vitest/config';

export default mergeConfig(
  base,
  defineConfig({ test: { name: 'api', globalSetup: ['@postrider/vitest/postgres-global-setup.ts'] } }),
);
