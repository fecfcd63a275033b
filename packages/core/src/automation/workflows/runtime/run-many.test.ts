import { describe, expect, it } from 'vitest';
import { runMany } from './run-many.ts';
import type { RunsInTransaction, StepResult, TransactedVisit } from './step-result.ts';

type Config = { name: string };

const visitOf = (name: string) => ({ step: { config: { name } } }) as TransactedVisit<Config>;
const completed = (name: string): StepResult => ({ kind: 'completed', output: { name } });
const visits = ['a', 'b', 'c'].map(visitOf);

/** Notes what was called. */
const stepOf = (calls: string[], many?: RunsInTransaction<Config>['runMany']): RunsInTransaction<Config> => ({
  async run({ config }) {
    calls.push(config.name);
    return completed(config.name);
  },
  ...(many && { runMany: many }),
});

describe('a step for several executions', () => {
  it('runs for one after the other, in their order, unless it can run for all at once', async () => {
    const calls: string[] = [];
    expect(await runMany(stepOf(calls), visits)).toEqual(['a', 'b', 'c'].map(completed));
    expect(calls).toEqual(['a', 'b', 'c']);
    const together = stepOf(calls, async (all) => all.map(({ step }) => completed(step.config.name)));
    expect(await runMany(together, visits)).toEqual(['a', 'b', 'c'].map(completed));
    expect(calls).toHaveLength(3);
  });

  it('that gives fewer results than there are executions is refused: one would be left at its step', async () => {
    const few = stepOf([], async () => [completed('a')]);
    await expect(runMany(few, visits)).rejects.toThrow('1 results for 3 executions');
  });
});
