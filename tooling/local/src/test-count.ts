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
  for (const file of report?.testResults ?? []) {
    const name = relative(ROOT, file.name);
    passed += file.assertionResults.filter((test) => test.status === 'passed').length;
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed) {
      failures.push(failure(`${name} > ${test.fullName}`, test.failureMessages?.join('\n')));
    }
    if (file.status === 'failed' && failed.length === 0) failures.push(failure(name, file.message));
  }
  if (exitCode !== 0 && failures.length === 0) {
    failures.push(report ? 'an error outside of the tests, in the output above' : 'no report was written');
  }
  return { passed, failed: failures.length, failures };
}

function failure(of: string, message = ''): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return [of, ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${line}`)].join('\n');
}
