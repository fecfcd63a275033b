import { describe, expect, it } from 'vitest';
import { readStepConfig } from '../read-step-config.ts';
import { stepRun } from './step-runs.ts';
import { stepDefinition, stepType, stepTypes } from './steps.schema.ts';

describe.each(stepTypes)('the definition of %s', (type) => {
  const definition = stepDefinition(type);

  it('is registered under its own type', () => {
    expect(definition.type).toBe(type);
    expect(stepType.options).toContain(type);
  });

  it('has an example that is accepted and stored as given', () => {
    expect(readStepConfig(type, definition.example as Record<string, unknown>).config).toEqual(
      definition.example,
    );
  });

  it('defines its ways out, the fields it reads, and its run function', () => {
    const { waysOut } = definition;
    if ('of' in waysOut) expect(waysOut.of(definition.example).length).toBeGreaterThan(0);
    expect(definition.reads(definition.example).every((each) => /^[\w.]+$/.test(each))).toBe(true);
    expect(stepRun(type)).toBeDefined();
  });
});
