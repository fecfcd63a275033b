import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { assess, type Counts, type Refusals, ratesOf, type Windows } from './reputation.rules.ts';

type Given = Partial<Counts>;
const countsOf = (given: Given = {}): Counts => ({
  total: 0,
  bounces: 0,
  complaints: 0,
  unprovenBounces: 0,
  unprovenComplaints: 0,
  ...given,
});
const noRefusals: Refusals = { blocked: 0, authentication: 0, content: 0, total: 0 };
const assessed = (counts: Partial<Windows<Given>>, isNew = false, refusals: Refusals = noRefusals) =>
  assess(
    {
      twentyFourHour: ratesOf(countsOf(counts.twentyFourHour)),
      sevenDay: ratesOf(countsOf(counts.sevenDay)),
      allTime: ratesOf(countsOf(counts.allTime)),
    },
    refusals,
    isNew,
  );

describe('refusals for the sender', () => {
  it.each([
    [{ total: 400, blocked: 20 }, ['blocked']],
    [{ total: 401, blocked: 20 }, []],
    [{ total: 19, blocked: 19 }, []],
    [{ total: 400, authentication: 300, content: 20 }, ['authentication', 'content']],
  ] as const)('%o are a warning for %o, never a violation', (given, refusals) => {
    const found = assessed({}, true, { ...noRefusals, ...given });
    expect(found).toMatchObject({ refusals, violations: [], isDoubtful: false });
    expect(found.warnings).toHaveLength(refusals.length);
  });

  it('say what to do', () => {
    const { warnings } = assessed({}, false, { ...noRefusals, total: 100, authentication: 25 });
    expect(warnings).toEqual([
      '25.0 % of email in 7 days was refused because the sender could not be authenticated (SPF, DKIM, DMARC); check the domain',
    ]);
  });
});

describe('a rate', () => {
  it.each([
    [{ total: 1_000, bounces: 49, complaints: 0 }, 'healthy'],
    [{ total: 1_000, bounces: 50, complaints: 0 }, 'warning'],
    [{ total: 1_000, bounces: 99, complaints: 0 }, 'warning'],
    [{ total: 1_000, bounces: 100, complaints: 0 }, 'critical'],
    [{ total: 99, bounces: 99, complaints: 0 }, 'healthy'],
    [{ total: 100, bounces: 10, complaints: 0 }, 'critical'],
  ] as const)('of bounces in 7 days: %o is %s', (sevenDay, level) => {
    expect(assessed({ sevenDay }).levels.bounce7Day).toBe(level);
  });

  it.each([
    [{ total: 10_000, bounces: 0, complaints: 2 }, 'healthy'],
    [{ total: 10_000, bounces: 0, complaints: 3 }, 'warning'],
    [{ total: 1_000, bounces: 0, complaints: 4 }, 'warning'],
    [{ total: 1_000, bounces: 0, complaints: 5 }, 'critical'],
  ] as const)('of complaints in total: %o is %s', (allTime, level) => {
    expect(assessed({ allTime }).levels.complaintAllTime).toBe(level);
  });

  it('that is critical is a violation, and one to watch a warning, each in words', () => {
    const { violations, warnings } = assessed({
      sevenDay: { total: 1_000, bounces: 120, complaints: 0 },
      allTime: { total: 10_000, bounces: 500, complaints: 0 },
    });
    expect(violations).toEqual(['12.0 % bounces in 7 days']);
    expect(warnings).toEqual(['5.0 % bounces in total']);
  });
});

describe('a project younger than 30 days', () => {
  const counts = { twentyFourHour: { total: 50, bounces: 25, complaints: 3 } };

  it('also has absolute limits', () => {
    expect(assessed(counts, true)).toMatchObject({
      violations: ['25 bounces in 24 hours, high for a new project'],
      warnings: ['3 complaints in 24 hours, high for a new project'],
    });
  });

  it('older ones do not', () => {
    expect(assessed(counts)).toMatchObject({ violations: [], warnings: [] });
  });
});

it('more bounces never make a level better', () => {
  const order = ['healthy', 'warning', 'critical'];
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(5_000), fc.nat(500), (total, bounces, more) => {
      const level = (count: number) =>
        order.indexOf(
          assessed({ sevenDay: { total: total + 5_500, bounces: count, complaints: 0 } }).levels.bounce7Day,
        );
      expect(level(bounces + more)).toBeGreaterThanOrEqual(level(bounces));
    }),
  );
});

describe('reports without a proof', () => {
  it('make a warning of what would be critical, and say how many they are', () => {
    const found = assessed({ sevenDay: { total: 100, bounces: 20, unprovenBounces: 11 } });
    expect(found).toMatchObject({ violations: [], isDoubtful: true });
    expect(found.levels.bounce7Day).toBe('warning');
    expect(found.warnings).toEqual(['20.0 % bounces in 7 days, of which 11 are not proven']);
  });

  it('take nothing from what is proven', () => {
    const found = assessed({ sevenDay: { total: 100, bounces: 20, unprovenBounces: 1 } });
    expect(found).toMatchObject({
      violations: ['19.0 % bounces in 7 days'],
      warnings: [],
      isDoubtful: false,
    });
  });

  it('count for the warnings of a new project only', () => {
    const twentyFourHour = { total: 12, complaints: 7, unprovenComplaints: 7 };
    expect(assessed({ twentyFourHour }, true)).toMatchObject({
      violations: [],
      warnings: ['7 complaints in 24 hours, high for a new project, of which 7 are not proven'],
      isDoubtful: true,
    });
  });
});
