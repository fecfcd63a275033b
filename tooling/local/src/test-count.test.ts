import { describe, expect, it } from 'vitest';
import { ROOT } from './root.ts';
import { countTests, secondRun } from './test-count.ts';

const file = (status: string, ...tests: string[]) => ({
  name: `${ROOT}/a/x.test.ts`,
  status,
  message: 'SyntaxError: nothing loaded',
  assertionResults: tests.map((one) => ({
    status: one,
    fullName: `a promise that ${one}`,
    failureMessages: one === 'failed' ? ['AssertionError: 1 is not 2\n\n    at x.test.ts:3:1'] : [],
  })),
});

describe('the count of a test run', () => {
  it('adds up passed and failed tests and leaves skipped ones out', () => {
    const report = {
      testResults: [file('failed', 'passed', 'failed', 'pending'), file('passed', 'passed', 'todo')],
    };
    expect(countTests(report, 1)).toMatchObject({ passed: 2, failed: 1 });
  });

  it('counts a file that does not load as one failure', () => {
    expect(countTests({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      failures: ['a/x.test.ts\n    SyntaxError: nothing loaded'],
      files: ['a/x.test.ts'],
    });
  });

  it('names each failed test with its file and message', () => {
    const { failures } = countTests({ testResults: [file('failed', 'passed', 'failed')] }, 1);
    expect(failures).toEqual([
      'a/x.test.ts > a promise that failed\n    AssertionError: 1 is not 2\n        at x.test.ts:3:1',
    ]);
  });

  it('never counts a failed run as a success', () => {
    expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toMatchObject({
      passed: 1,
      failed: 1,
    });
    expect(countTests(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('names no files to run again when a failure is of none', () => {
    expect(countTests({ testResults: [file('passed', 'passed')] }, 1).files).toBeUndefined();
    expect(countTests({ testResults: [file('passed', 'passed')] }, 0).files).toEqual([]);
  });
});

describe('files that are run once more', () => {
  const count = (failures: string[], files: string[] | undefined) => ({
    ...{ passed: 1, failed: failures.length },
    ...{ failures, files },
  });

  it('have failed by what fails then, and are unsteady by what passes then', () => {
    expect(secondRun(['a > x\n    once', 'a > y'], count(['a > x\n    twice', 'a > z'], ['a']))).toEqual({
      failures: ['a > x\n    twice', 'a > z'],
      unsteady: ['a > y'],
    });
    expect(secondRun(['a > x'], count([], []))).toEqual({ failures: [], unsteady: ['a > x'] });
  });

  it('keep their failures when the second run breaks off', () => {
    expect(secondRun(['a > x'], count(['no report was written'], undefined))).toEqual({
      failures: ['a > x', 'no report was written'],
      unsteady: [],
    });
  });
});
