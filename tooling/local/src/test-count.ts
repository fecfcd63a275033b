/** The part of Vitest's JSON report that is counted. */
export interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string }[];
  }[];
}

export interface Count {
  passed: number;
  failed: number;
}

/**
 * Counts the tests of a run. A file that could not be loaded has no tests and counts as one failure, as does a run
 * that failed without a failed test (an unhandled error, or no report).
 */
export function countTests(report: VitestReport | undefined, exitCode: number): Count {
  let passed = 0;
  let failed = 0;
  for (const file of report?.testResults ?? []) {
    const of = (status: string) => file.assertionResults.filter((test) => test.status === status).length;
    passed += of('passed');
    failed += of('failed');
    if (file.status === 'failed' && of('failed') === 0) failed++;
  }
  if (exitCode !== 0 && failed === 0) failed++;
  return { passed, failed };
}
