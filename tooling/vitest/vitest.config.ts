import { defineProject, mergeConfig } from 'vitest/config';
import { base } from './base.ts';

export default mergeConfig(
  base,
  defineProject({
    test: {
      name: 'vitest',
      include: ['*.test.ts'],
      globalSetup: [new URL('./postgres-global-setup.ts', import.meta.url).pathname],
    },
  }),
);
