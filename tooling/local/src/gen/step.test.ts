import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newStepFiles, readStepArguments, stepEdits } from './step.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe('gen step', () => {
  const step = readStepArguments(['step', 'add-to-segment']);

  it('adds the type to each of the current lists of types', async () => {
    expect(step.type).toBe('ADD_TO_SEGMENT');
    for (const { path, edit } of stepEdits(step)) {
      const before = await readFile(join(root, path), 'utf8');
      expect(edit(before)).toMatch(/ADD_TO_SEGMENT|add-to-segment/);
    }
  });

  it('writes the migration, the definition, the run and the view', () => {
    expect(Object.keys(newStepFiles(step, '20260301100000'))).toEqual([
      'packages/core/prisma/migrations/20260301100000_step_add_to_segment/migration.sql',
      'packages/core/src/automation/workflows/steps/add-to-segment.step.ts',
      'packages/core/src/automation/workflows/steps/add-to-segment.run.ts',
      'apps/dashboard/src/features/workflows/steps/add-to-segment.tsx',
    ]);
  });

  it('refuses a name that is not in kebab-case', () => {
    expect(() => readStepArguments(['step', 'AddToSegment'])).toThrow('kebab-case');
  });
});
