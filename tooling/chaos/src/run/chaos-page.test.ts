import { expect, it } from 'vitest';
import { chaosPage } from './chaos-page.ts';
import type { RunRecord } from './run-record.ts';

const run = (change: Partial<RunRecord> = {}): RunRecord => ({
  scenario: 'machines',
  seed: 1,
  recipients: 5_000,
  commit: 'abc1234',
  at: '2026-01-02T03:04:05.000Z',
  seconds: 30,
  mails: 5_000,
  kills: 2,
  lost: 0,
  doubled: 0,
  stranded: 0,
  resent: 0,
  uncertain: [3, 18],
  mostUncertain: 20,
  problems: [],
  notes: ['5000 emails', '  one of them'],
  ...change,
});

const page = (records: RunRecord[]): string =>
  chaosPage(
    {
      at: '2026-01-03T00:00:00.000Z',
      commit: 'abc1234',
      command: 'npm run chaos -- all --seeds 2 --page',
      versions: ['Node 24'],
      summaries: new Map([['machines', 'three workers']]),
    },
    records,
  );

it('adds up the runs of a scenario, and shows the range of UNCERTAIN beside its bound', () => {
  const text = page([run(), run({ seed: 2, mails: 4_999, uncertain: [0, 7] })]);
  expect(text).toContain('| `machines` | 2 | 9,999 | 4 | 0 | 0 | 0 | 0 | 0 / 3 / 18 | 20 | yes |');
  expect(text).toContain('commit `abc1234`');
  expect(text).toContain('2 runs in 1 minutes, 2 passed, 0 failed');
});

it('says which runs failed, and why', () => {
  const text = page([
    run(),
    run({ seed: 2, lost: 1, problems: ['email 7 is SENT and never reached the sink'] }),
  ]);
  expect(text).toContain('**no** (1 of 2 failed)');
  expect(text).toContain('- `machines`, seed 2: 1 problems\n  - email 7 is SENT and never reached the sink');
});

it('names the commit of runs that were recorded before', () => {
  const text = page([run(), run({ scenario: 'crash', commit: 'def5678' })]);
  expect(text).toContain('commit `abc1234`; commit `def5678` in the runs of `crash`');
});

it('leaves out the lines that name single emails', () => {
  expect(page([run()])).toContain('- 5000 emails');
  expect(page([run()])).not.toContain('one of them');
});

it('shows a dash for a scenario that makes emails UNCERTAIN on purpose', () => {
  expect(page([run({ uncertain: [48], mostUncertain: null })])).toContain('| 48 / 48 / 48 | – | yes |');
});
