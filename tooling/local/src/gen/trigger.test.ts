import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newTriggerFiles, readTriggerArguments, triggerEdits } from './trigger.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe('gen trigger', () => {
  const trigger = readTriggerArguments(['trigger', 'segment-entry']);

  it('adds the type to each of the current lists of types', async () => {
    expect(trigger.type).toBe('SEGMENT_ENTRY');
    for (const { path, edit } of triggerEdits(trigger)) {
      const before = await readFile(join(root, path), 'utf8');
      expect(edit(before)).toMatch(/ {2}SEGMENT_ENTRY/);
    }
  });

  it('writes the migration, the definition and the view', () => {
    expect(Object.keys(newTriggerFiles(trigger, '20260301100000'))).toEqual([
      'packages/core/prisma/migrations/20260301100000_trigger_segment_entry/migration.sql',
      'packages/core/src/automation/workflows/triggers/segment-entry.trigger.ts',
      'apps/dashboard/src/features/workflows/steps/triggers/segment-entry-trigger.tsx',
    ]);
  });

  it('refuses a name that is not in kebab-case', () => {
    expect(() => readTriggerArguments(['trigger', 'SegmentEntry'])).toThrow('kebab-case');
  });
});
