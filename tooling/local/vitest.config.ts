import { defineProject, mergeConfig } from 'vitest/config';
import { base } from '../vitest/base.ts';

export default mergeConfig(
  base,
  defineProject({
    // Whole stacks are started here; on a busy machine with two cores that takes its time.
    test: { name: 'local', include: ['src/**/*.test.ts'], testTimeout: 120_000 },
  }),
);
