import { base } from '@postrider/vitest/base.ts';
import { defineProject, mergeConfig } from 'vitest/config';

/** A browser against the whole stack: each file starts one, so they run one after the other. */
export default mergeConfig(
  base,
  defineProject({
    test: {
      name: 'e2e',
      include: ['e2e/**/*.test.ts', 'src/**/*.test.ts'],
      fileParallelism: false,
      testTimeout: 180_000,
      hookTimeout: 600_000,
    },
  }),
);
