import { expect, it } from 'vitest';
import { type Costs, type UnitCost, units } from './capacity.rules.ts';
import { type CapacityFigures, capacityPage, failuresOf } from './capacity-page.ts';

const cost = {
  ...{ perSecond: 5_000, nodeMicros: 100, postgresMicros: 50, temporalMicros: 0, walBytes: 1_000 },
};
const unit: UnitCost = { most: cost, steady: { ...cost, perSecond: 50, nodeMicros: 400 }, bytes: 500 };

const figures: CapacityFigures = {
  machine: { signatures: 1_500, fsyncs: 2_000, commits: 1_200 },
  idle: {
    second: { node: 0.03, postgres: 0.01, temporal: 0.02, walBytes: 300 },
    minute: { node: 0.6, postgres: 0, temporal: 0, walBytes: 0 },
  },
  costs: Object.fromEntries(units.map((one) => [one, unit])) as Costs,
  memory: [{ part: 'api', processes: 2, together: 400, median: 190, most: 210 }],
  predictions: null,
};

const head = {
  at: '2026-01-03T00:00:00.000Z',
  commit: 'abc1234',
  command: 'npm run bench -- capacity --page',
  versions: ['Node 24'],
  seconds: 5,
  load: [0.3, 2.1] as const,
};

const predictions = [
  {
    load: 'sends and opens',
    predicted: { processorSeconds: 10, walBytes: 2e6, bytes: 1e6 },
    measured: { processorSeconds: 11, walBytes: 1e6, bytes: 1e6 },
  },
];

it('has the figures of the run, and says how long each was measured', () => {
  const text = capacityPage(head, figures);
  expect(text).toContain('commit `abc1234`, 5 s a phase');
  expect(text).toContain('| RSA-2048 signatures on one core | 1,500 |');
  expect(text).toContain('| click | 5,000 | 100 | 50 | 0 | 1,000 | 50 | 400 | 50 | 0 | 1,000 | 500 |');
  expect(text).toContain('| api | 2 | 400 | 190.0 | 210.0 |');
  expect(text).toContain(
    'Without work the stack takes 7.0 % of a core (Node 4.0 %, PostgreSQL 1.0 %, Temporal 2.0 %)',
  );
  expect(text).not.toContain('Predicted');
});

it('computes its example from them', () => {
  // 2.45 units an email, each 450 µs: below the even pace they take what they take at it.
  expect(capacityPage(head, figures)).toContain(
    '| 1 M | 28 | 0.05 | 143 GB | 68 kB/s | 3 | M: the disk decides |',
  );
});

it('shows how far predictions are off, and fails those beyond the goal', () => {
  expect(capacityPage(head, { ...figures, predictions })).toContain(
    '| sends and opens | WAL | 2.0 MB | 1.0 MB | +100 % |',
  );
  expect(failuresOf(predictions)).toEqual([
    'sends and opens: WAL was predicted as 2.0 MB and measured as 1.0 MB; the error is +100 %, and the goal 10 %',
  ]);
});
