import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { collapseChanges, splitContactData } from '../contacts.rules.ts';
import { convertTo, type Definitions, settleData } from './definitions.rules.ts';
import { changedList, joinedChanges, listText } from './lists.rules.ts';

describe('a value under a definition', () => {
  it.each([
    ['TEXT', 'a', 'a'],
    ['TEXT', 12.5, '12.5'],
    ['TEXT', true, 'true'],
    ['TEXT', ['a'], undefined],
    ['NUMBER', -1.5, -1.5],
    ['NUMBER', '12.50', 12.5],
    ['NUMBER', '-0', -0],
    ['NUMBER', '012', undefined],
    ['NUMBER', '1e3', undefined],
    ['NUMBER', ' 1', undefined],
    ['NUMBER', '1234567890123456', undefined],
    ['NUMBER', '', undefined],
    ['NUMBER', true, undefined],
    ['BOOLEAN', false, false],
    ['BOOLEAN', 'TRUE', true],
    ['BOOLEAN', 'False', false],
    ['BOOLEAN', 'yes', undefined],
    ['BOOLEAN', 1, undefined],
    ['DATE', '2024-02-29', '2024-02-29'],
    ['DATE', '2024-01-31T23:30:00-05:00', '2024-01-31'],
    ['DATE', '2023-02-29', undefined],
    ['DATE', '31.01.2024', undefined],
    ['DATE', 20240131, undefined],
    ['DATETIME', '2024-01-31T23:30:00-05:00', '2024-02-01T04:30:00.000Z'],
    ['DATETIME', '2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['DATETIME', '2024-01-31 10:00', '2024-01-31T10:00:00.000Z'],
    ['DATETIME', 1706745600000, undefined],
    ['LIST', 'a', ['a']],
    ['LIST', ['b', 'a', 'b'], ['b', 'a']],
    ['LIST', [], []],
    ['LIST', [1], undefined],
    ['LIST', [''], undefined],
    ['LIST', ['x'.repeat(101)], undefined],
    ['LIST', ['😀'.repeat(100)], ['😀'.repeat(100)]],
    ['LIST', Array.from({ length: 101 }, (_, n) => `${n}`), undefined],
    ['LIST', 5, undefined],
  ] as const)('%s: %j is stored as %j', (type, value, stored) => {
    expect(convertTo(type, value, 'UTC')).toEqual(stored);
  });

  it.each([
    ['2024-01-31', '2024-01-31T05:00:00.000Z'],
    ['2024-01-31 10:00', '2024-01-31T15:00:00.000Z'],
    ['2024-07-31T10:00:00', '2024-07-31T14:00:00.000Z'],
    ['2024-01-31T10:00Z', '2024-01-31T10:00:00.000Z'],
    ['0001-01-01T00:00+01:00', undefined],
  ])('a date without a zone is one of the zone of the project: %s', (value, stored) => {
    expect(convertTo('DATETIME', value, 'America/New_York')).toBe(stored);
    expect(convertTo('DATE', value, 'America/New_York')).toBe(value.slice(0, 10));
  });

  it('is never converted a second time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST'),
        fc.oneof(
          fc.string(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.boolean(),
          fc.date().map((at) => at.toJSON() ?? ''),
          fc.array(fc.string()),
        ),
        (type, value) => {
          const once = convertTo(type as 'TEXT', value, 'Asia/Kolkata');
          if (once !== undefined) expect(convertTo(type as 'TEXT', once, 'Asia/Kolkata')).toEqual(once);
        },
      ),
    );
  });
});

describe('data of a request', () => {
  const definitions: Definitions = new Map([
    ['tags', 'LIST'],
    ['age', 'NUMBER'],
  ]);
  const settle = (data: Record<string, unknown>, mode: 'strict' | 'lenient') =>
    settleData(
      splitContactData(data, mode === 'strict' ? 'stored-only' : 'transient-allowed'),
      definitions,
      'UTC',
      mode,
    );

  it('is converted, and changes lists', () => {
    const data = { age: '30', tags: ['a'], plan: 'pro' };
    expect(settle(data, 'strict').set).toEqual({ age: 30, tags: ['a'], plan: 'pro' });
    expect(settle({ tags: { add: ['b'] } }, 'strict').lists).toEqual({ tags: { add: ['b'], remove: [] } });
    expect(settle({ tags: null }, 'strict').unset).toEqual(['tags']);
    expect(settle({ tags: { value: ['a'], persistent: true } }, 'lenient').set).toEqual({ tags: ['a'] });
    expect(settle({ tags: { value: ['a'], persistent: false } }, 'lenient').transient).toEqual({
      tags: ['a'],
    });
  });

  it('that cannot be converted is an issue where it must be stored, and is used once with a warning elsewhere', () => {
    const wrong = { age: 'x', tags: [1], other: ['a'], plan: 'pro' };
    expect(settle(wrong, 'strict').issues.map(({ path, code }) => [...path, code])).toEqual([
      ['age', 'invalid_type'],
      ['tags', 'invalid_type'],
      ['other', 'invalid_type'],
    ]);
    const lenient = settle(wrong, 'lenient');
    expect(lenient).toMatchObject({
      set: { plan: 'pro' },
      transient: { age: 'x', tags: [1], other: ['a'] },
      issues: [],
    });
    expect(lenient.warnings).toEqual([
      { field: 'data.age', code: 'invalid_type' },
      { field: 'data.tags', code: 'invalid_type' },
    ]);
  });
});

describe('changes of lists', () => {
  const items = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
  const change = fc.record({ add: items, remove: items });

  it('that follow one another have the effect of one', () => {
    fc.assert(
      fc.property(items, change, change, (before, first, second) => {
        const each = changedList(changedList(before, first), second);
        expect(new Set(changedList(before, joinedChanges(first, second)))).toEqual(new Set(each));
      }),
    );
  });

  it('of one address in one request are collapsed', () => {
    const at = { email: 'a@a.test', subscribed: null, unset: [] };
    const [[, patch] = []] = [
      ...collapseChanges([
        { ...at, set: { tags: ['a'] } },
        { ...at, set: {}, lists: { tags: { add: ['b'], remove: ['a'] }, more: { add: ['x'], remove: [] } } },
        { ...at, set: {}, lists: { more: { add: ['y'], remove: [] } } },
      ]),
    ];
    expect(patch).toEqual({
      subscribed: null,
      patch: { tags: ['b'] },
      lists: { more: { add: ['x', 'y'], remove: [] } },
    });
  });

  it('are written as one text, whose separators are told from those in items', () => {
    expect(listText(['a', 'b;c', 'say "hi"', 'd, e'])).toBe(`a; "b;c"; "say ${'""'}hi${'""'}"; d, e`);
  });
});
