import { relative } from 'node:path';
import { ROOT } from './root.ts';

/** The part of Vitest's JSON report that is counted. */
export interface VitestReport {
  testResults: {
    /** Absolute path of the file. */
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
}

export interface Count {
  passed: number;
  failed: number;
  /** Every failure as its file, test and the beginning of its message, for the end of the output. */
  failures: string[];
  /** Files with a failure, relative to the root; undefined when a failure is of no file. */
  files: string[] | undefined;
}

/** Lines of a message that are repeated: an assertion's text and the place in the test, without the whole difference. */
const MESSAGE_LINES = 12;

/**
 * Counts the tests of a run. A file that could not be loaded has no tests and counts as one failure, as does a run
 * that failed without a failed test (an unhandled error, or no report).
 */
export function countTests(report: VitestReport | undefined, exitCode: number): Count {
  let passed = 0;
  const failures: string[] = [];
  const files: string[] = [];
  for (const file of report?.testResults ?? []) {
    const name = relative(ROOT, file.name);
    passed += file.assertionResults.filter((test) => test.status === 'passed').length;
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed) {
      failures.push(failure(`${name} > ${test.fullName}`, test.failureMessages?.join('\n')));
    }
    if (file.status === 'failed' && failed.length === 0) failures.push(failure(name, file.message));
    if (file.status === 'failed' || failed.length > 0) files.push(name);
  }
  if (exitCode !== 0 && failures.length === 0) {
    failures.push(report ? 'an error outside of the tests, in the output above' : 'no report was written');
    return { passed, failed: failures.length, failures, files: undefined };
  }
  return { passed, failed: failures.length, failures, files };
}

/**
 * What the failures of a run are after their files were run once more: what fails then, also if it had passed, has failed; what passes then is
 * unsteady. A second run that broke off says nothing about the first.
 */
export function secondRun(
  first: readonly string[],
  again: Count,
): { failures: string[]; unsteady: string[] } {
  if (again.files === undefined) return { failures: [...first, ...again.failures], unsteady: [] };
  const failed = new Set(again.failures.map(headOf));
  return { failures: again.failures, unsteady: first.filter((failure) => !failed.has(headOf(failure))) };
}

const headOf = (failure: string): string => failure.split('\n', 1)[0] ?? '';

function failure(of: string, message = ''): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return [of, ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${line}`)].join('\n');
}
