import fc from '@postrider/vitest/fast-check.ts';
import { expect, it } from 'vitest';
import { dataLimitBytes } from '../contacts.rules.ts';
import { mergeRow, noRows } from './merge-rows.ts';

const primitive = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean());
const bytesIn = (data: object): number => Buffer.byteLength(JSON.stringify(data));

it('rows of one address merge to the same result as in sequence, with their exact size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ unit: 'binary' }), primitive), { minLength: 1 }),
      (rows) => {
        const merged = noRows();
        const expected = new Map<string, unknown>();
        for (const [index, data] of rows.entries()) {
          expect(mergeRow(merged, index, data)).toBe(true);
          for (const [key, value] of Object.entries(data)) expected.set(key, value);
        }
        expect(merged.values).toEqual(expected);
        expect(merged.rows).toHaveLength(rows.length);
        if (expected.size > 0) expect(merged.bytes).toBe(bytesIn(Object.fromEntries(merged.values)));
      },
    ),
  );
});

it('accepts exactly the maximum size of a contact; a row beyond it changes nothing', () => {
  const merged = noRows();
  const large = 'é'.repeat((dataLimitBytes - bytesIn({ a: '', b: '' })) / 2);
  expect(mergeRow(merged, 1, { a: large })).toBe(true);
  expect(mergeRow(merged, 2, { b: 'xyz' })).toBe(false);
  expect(mergeRow(merged, 3, { b: '' })).toBe(true);
  expect(mergeRow(merged, 4, { a: 'short', b: 'xyz' })).toBe(true);
  expect([...merged.values]).toEqual([
    ['a', 'short'],
    ['b', 'xyz'],
  ]);
  expect(merged.rows).toEqual([1, 3, 4]);
});

it('a million small rows of one large contact take linear time', () => {
  const merged = noRows();
  mergeRow(merged, 0, Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1])));
  // If each row cost the size of the contact, this would not end before the timeout.
  for (let row = 1; row <= 1_000_000; row += 1) mergeRow(merged, row, { a: row });
  expect(merged.values.get('a')).toBe(1_000_000);
});
