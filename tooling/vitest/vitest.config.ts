import { defineConfig } from 'vitest/config';
import { tiers } from './tiers.ts';

export default defineConfig({ test: { projects: tiers(import.meta.dirname) } });
