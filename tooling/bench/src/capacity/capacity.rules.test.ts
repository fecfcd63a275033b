import { describe, expect, it } from 'vitest';
import {
  type Cost,
  type Costs,
  coresFor,
  costAt,
  costOf,
  diskFor,
  errorPercent,
  idleOf,
  meanIdle,
  missed,
  peakRate,
  predict,
  relayConnections,
  shapeFor,
  type UnitCost,
  units,
  walFor,
} from './capacity.rules.ts';

const cost = (perSecond: number, micros: number, walBytes: number): Cost => ({
  perSecond,
  nodeMicros: micros / 2,
  postgresMicros: micros / 2,
  temporalMicros: 0,
  walBytes,
});

const nothing: UnitCost = { most: cost(1_000, 0, 0), steady: null, bytes: 0 };

const costsOf = (known: Partial<Record<(typeof units)[number], UnitCost>>): Costs =>
  Object.fromEntries(units.map((unit) => [unit, known[unit] ?? nothing])) as unknown as Costs;

/** 900 µs, 3 kB of WAL and 2.3 kB at rest an email, whatever the rate. */
const costs = costsOf({ accept: { most: cost(5_000, 900, 3_000), steady: null, bytes: 2_300 } });

describe('an installation with so many emails a day', () => {
  it.each([
    [1e6, 28, 0.04, 0.08, 0.27],
    [10e6, 278, 0.42, 0.83, 2.7],
    [100e6, 2_778, 4.2, 8.3, 26.9],
  ])(
    'of %d has %d a second at the peak, %d cores, %d MB of WAL a second and %d TB',
    (perDay, rate, cores, wal, disk) => {
      const perSecond = peakRate(perDay);
      expect(perSecond).toBeCloseTo(rate, 0);
      expect(coresFor(costs, [{ unit: 'accept', perSecond }])).toBeCloseTo(cores, 1);
      expect(walFor(costs, [{ unit: 'accept', perSecond }]) / 1e6).toBeCloseTo(wal, 1);
      expect(diskFor(costs, [{ unit: 'accept', perDay, days: 90 }]) / 1e12).toBeCloseTo(disk, 1);
    },
  );

  it('needs as many connections to the relay as messages are under way at a time', () => {
    expect(relayConnections(278, 0.1)).toBe(28);
    expect(relayConnections(1, 0.1)).toBe(1);
  });

  it.each([
    ['little of both', 0.02, 0.05e12, { name: 'S', count: 1, decidedBy: 'disk' }],
    ['a larger disk', 0.04, 0.27e12, { name: 'M', count: 1, decidedBy: 'disk' }],
    ['cores for the smallest, and more disk', 0.6, 0.3e12, { name: 'M', count: 1, decidedBy: 'disk' }],
    ['more cores', 3, 0.05e12, { name: 'M', count: 1, decidedBy: 'processors' }],
    ['more than the largest disk', 4.2, 27e12, { name: 'L', count: 3, decidedBy: 'disk' }],
    ['more than the most cores', 40, 1e12, { name: 'L', count: 3, decidedBy: 'processors' }],
  ] as const)('with %s has the smallest class that has room', (_what, cores, disk, shape) => {
    expect(shapeFor(cores, disk)).toEqual(shape);
  });
});

describe('the cost of a unit', () => {
  const unit: UnitCost = { steady: cost(10, 1_000, 4_000), most: cost(1_000, 200, 2_000), bytes: 1 };

  it('is that of the measured rates, and between them goes with the logarithm of the rate', () => {
    expect(costAt(unit, 10).nodeMicros).toBeCloseTo(500);
    expect(costAt(unit, 100)).toMatchObject({
      perSecond: 100,
      nodeMicros: expect.closeTo(300),
      walBytes: expect.closeTo(3_000),
    });
    expect(costAt(unit, 1_000).nodeMicros).toBeCloseTo(100);
  });

  it('stays the same beyond them', () => {
    expect(costAt(unit, 1).walBytes).toBeCloseTo(4_000);
    expect(costAt(unit, 50_000).walBytes).toBeCloseTo(2_000);
  });

  it('is the same at all rates where only one was measured', () => {
    expect(costAt({ ...unit, steady: null }, 1).walBytes).toBe(2_000);
  });
});

it('what a unit took is without what the stack takes anyway, and without other work', () => {
  const measured = {
    ...{
      seconds: 10,
      minutes: 1,
      node: 1.6,
      postgres: 2,
      temporal: 0.1,
      walBytes: 1_015_000,
      bytes: 600_000,
    },
  };
  const idle = {
    second: { node: 0.05, postgres: 0, temporal: 0.02, walBytes: 1_000 },
    minute: { node: 0.1, postgres: 0, temporal: 0, walBytes: 5_000 },
  };
  const accepted = { count: 100, cost: cost(10, 2_000, 4_000), bytes: 1_000 };
  expect(costOf(measured, { count: 100, perSecond: 10 }, idle, [accepted])).toEqual({
    cost: {
      perSecond: 10,
      nodeMicros: expect.closeTo(9_000),
      postgresMicros: expect.closeTo(19_000),
      // Less than the stack takes anyway is nothing.
      temporalMicros: 0,
      walBytes: expect.closeTo(6_000),
    },
    bytes: 5_000,
  });
});

it('what the stack takes without work is told apart by second and by minute', () => {
  const time = { node: 1, postgres: 0.5, temporal: 0.5, walBytes: 5_000, bytes: 0 };
  const idle = idleOf({ ...time, seconds: 50, minutes: 0 }, { ...time, seconds: 10, minutes: 1 });
  expect(idle.second).toEqual({ node: 0.02, postgres: 0.01, temporal: 0.01, walBytes: 100 });
  expect(idle.minute).toEqual({ node: 0.8, postgres: 0.4, temporal: 0.4, walBytes: 4_000 });
  expect(meanIdle(idle, 'node')).toBeCloseTo(2 / 60);
});

it('requests of other kinds keep the processes awake, rows that come many at once do not', () => {
  const paced: UnitCost = { steady: cost(10, 1_000, 0), most: cost(1_000, 200, 0), bytes: 0 };
  const many: UnitCost = { steady: null, most: cost(10_000, 0, 0), bytes: 0 };
  const both = costsOf({ accept: paced, open: paced, freeze: many });
  const coresBeside = (unit: 'open' | 'freeze', perSecond: number): number =>
    coresFor(both, [
      { unit: 'accept', perSecond: 10 },
      { unit, perSecond },
    ]);
  expect(coresBeside('freeze', 10_000)).toBeCloseTo((10 * 1_000) / 1e6 / 0.6);
  expect(coresBeside('open', 990)).toBeCloseTo((1_000 * 200) / 1e6 / 0.6);
});

describe('a prediction', () => {
  const idle = {
    second: { node: 0.03, postgres: 0.01, temporal: 0.01, walBytes: 1_000 },
    minute: { node: 0.5, postgres: 0, temporal: 0, walBytes: 0 },
  };

  it('adds up what each kind of work takes, and what the stack takes without work', () => {
    expect(predict(costs, idle, [{ unit: 'accept', count: 1_000 }], { seconds: 20, minutes: 2 })).toEqual({
      processorSeconds: expect.closeTo(2.9),
      walBytes: 3_020_000,
      bytes: 2_300_000,
    });
  });

  it('is judged by what was measured: 20 % of the processor, 10 % of WAL and bytes', () => {
    expect(errorPercent(90, 100)).toBe(-10);
    const measured = { processorSeconds: 10, walBytes: 1_000, bytes: 1_000 };
    expect(missed({ processorSeconds: 12, walBytes: 900, bytes: 1_100 }, measured)).toEqual([]);
    expect(missed({ processorSeconds: 7.9, walBytes: 1_101, bytes: 1_000 }, measured)).toEqual([
      'processorSeconds',
      'walBytes',
    ]);
    expect(missed(measured, { ...measured, bytes: 0 })).toEqual(['bytes']);
  });
});
