import { tiers } from '@postrider/vitest/tiers.ts';
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { projects: tiers(import.meta.dirname) } });
