import { describe, expect, it } from 'vitest';
import { countTests } from './test-count.ts';

const file = (status: string, ...tests: string[]) => ({
  name: 'x.test.ts',
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});

describe('the count of a test run', () => {
  it('adds up passed and failed tests and leaves skipped ones out', () => {
    const report = {
      testResults: [file('failed', 'passed', 'failed', 'pending'), file('passed', 'passed', 'todo')],
    };
    expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1 });
  });

  it('counts a file that does not load as one failure', () => {
    expect(countTests({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  it('never counts a failed run as a success', () => {
    expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 });
    expect(countTests(undefined, 1)).toEqual({ passed: 0, failed: 1 });
  });
});
