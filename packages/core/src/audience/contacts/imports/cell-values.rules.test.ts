import { describe, expect, it } from 'vitest';
import {
  type CellValue,
  type ColumnFormat,
  type ColumnType,
  cellReader,
  dateFormats,
} from './cell-values.rules.ts';

const read = (
  cell: string,
  type: ColumnType,
  format: ColumnFormat | null = null,
  { separator = ',', zone = 'UTC' } = {},
): CellValue | null => cellReader({ type, format, separator, zone })(cell);

describe('numbers', () => {
  it.each<[ColumnFormat, string, number | null]>([
    ['1234.5', '1234.5', 1234.5],
    ['1234.5', '-5', -5],
    ['1234.5', '007', 7],
    ['1234.5', '12 345.60', 12_345.6],
    ['1234.5', "12'345.60", 12_345.6],
    ['1234.5', '12\u00a0345', 12_345],
    ['1234.5', '1,234.5', null],
    ['1234.5', '12,50', null],
    ['1234.5', '1e5', null],
    ['1234.5', '12345678901234567', null],
    ['1234.5', '18.5o', null],
    ['1234.5', '', null],
    ['1,234.5', '1234.5', 1234.5],
    ['1,234.5', '1,234.5', 1234.5],
    ['1,234.5', '1,234,567', 1_234_567],
    ['1,234.5', '12,50', null],
    ['1,234.5', '1,234 567', null],
    ['1,234.5', '$1,234.50', 1234.5],
    ['1,234.5', '-$5', -5],
    ['1,234.5', 'USD 5', 5],
    ['1,234.5', 'USD 5 EUR', null],
    ['1.234,5', '1.234,50 €', 1234.5],
    ['1.234,5', '19,90', 19.9],
    ['1.234,5', '19.90', null],
    ['1.234,5', '\u22125,5', -5.5],
    ['1.234,5', 'EUR 5', 5],
    ['1 234,5', '1 234,5', 1234.5],
    ['1 234,5', '1\u202f234,5', 1234.5],
    ['1 234,5', '1.234', null],
  ])('in the format %s, %j is %j', (format, cell, value) => expect(read(cell, 'NUMBER', format)).toBe(value));
});

describe('yes and no', () => {
  it.each([
    ['true TRUE yes Y 1 subscribed Active ja Oui sí si sim tak हाँ はい 是', true],
    ['false no N 0 unsubscribed inactive nein nee non não nie नहीं いいえ 否', false],
    ['maybe 2 x opted yess', null],
  ])('%s', (words, meaning) => {
    for (const word of words.split(' '))
      expect([word, read(` ${word} `, 'BOOLEAN')]).toEqual([word, meaning]);
  });
});

describe('dates', () => {
  it.each<[ColumnFormat, string, string | null]>([
    ['ISO', '2026-11-20', '2026-11-20'],
    ['ISO', '2026-11-20T23:30:00-05:00', '2026-11-20'],
    ['ISO', '2026-11-20 23:30', '2026-11-20'],
    ['ISO', '2026-02-30', null],
    ['ISO', '20.11.2026', null],
    ['DD.MM.YYYY', '1.2.2026', '2026-02-01'],
    ['DD.MM.YYYY', '20.11.2026 14:30', '2026-11-20'],
    ['DD.MM.YYYY', '20.11.26', null],
    ['DD/MM/YYYY', '11/20/2026', null],
    ['MM/DD/YYYY', '11/20/2026', '2026-11-20'],
    ['DD/MM/YYYY', '20/11/2026', '2026-11-20'],
    ['DD-MM-YYYY', '20-11-2026', '2026-11-20'],
    ['YYYY/MM/DD', '2026/11/20', '2026-11-20'],
    ['D MMM YYYY', '3 Nov 2026', '2026-11-03'],
    ['D MMM YYYY', '3. März 2026', '2026-03-03'],
    ['D MMM YYYY', '3 de noviembre de 2026', '2026-11-03'],
    ['D MMM YYYY', '3-Sept-2026', '2026-09-03'],
    ['D MMM YYYY', '3 listopada 2026', '2026-11-03'],
    ['D MMM YYYY', '3 août 2026', '2026-08-03'],
    ['D MMM YYYY', '3 xyz 2026', null],
    ['UNIX', '1795132800', '2026-11-20'],
    ['UNIX_MS', '1795132800000', '2026-11-20'],
    ['EXCEL', '46346', '2026-11-20'],
    ['EXCEL', '0', '1899-12-30'],
    ['EXCEL', 'x', null],
  ])('in the format %s, %j is %j', (format, cell, value) => expect(read(cell, 'DATE', format)).toBe(value));

  it.each<[ColumnFormat, string, string | null]>([
    ['ISO', '2026-11-20', '2026-11-19T23:00:00.000Z'],
    ['ISO', '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['ISO', '2026-11-20T23:30:00-0500', '2026-11-21T04:30:00.000Z'],
    ['DD.MM.YYYY', '20.07.2026 14:30', '2026-07-20T12:30:00.000Z'],
    ['DD.MM.YYYY', '20.07.2026, 14:30:15', '2026-07-20T12:30:15.000Z'],
    ['MM/DD/YYYY', '11/20/2026 2:30 PM', '2026-11-20T13:30:00.000Z'],
    ['MM/DD/YYYY', '11/20/2026 12:05:00 am', '2026-11-19T23:05:00.000Z'],
    ['MM/DD/YYYY', '11/20/2026 13:05 PM', null],
    ['MM/DD/YYYY', '11/20/2026 25:00', null],
    ['UNIX', '1795132800', '2026-11-20T00:00:00.000Z'],
    ['EXCEL', '46346.5', '2026-11-20T11:00:00.000Z'],
  ])('with times of Berlin, in the format %s, %j is %j', (format, cell, value) =>
    expect(read(cell, 'DATETIME', format, { zone: 'Europe/Berlin' })).toBe(value),
  );

  it('no format reads another text', () => {
    for (const format of dateFormats)
      for (const cell of ['soon', '', '1/2', '2026', '9'.repeat(70)])
        if (!(format === 'EXCEL' || format.startsWith('UNIX')) || !/^\d/.test(cell))
          expect(read(cell, 'DATETIME', format)).toBeNull();
  });
});

describe('lists', () => {
  it.each<[string, string, string[] | null]>([
    ['a, b,a', ',', ['a', 'b']],
    ['a; "b; ""c"""; d', ';', ['a', 'b; "c"', 'd']],
    ['"Customer","VIP"', ',', ['Customer', 'VIP']],
    ['19" rack, x', ',', ['19" rack', 'x']],
    ['"a"b, c', ',', ['"a"b', 'c']],
    ['a||b', '||', ['a', 'b']],
    [' , ,', ',', null],
    ['x'.repeat(101), ',', null],
    [Array.from({ length: 101 }, (_, n) => n).join(), ',', null],
  ])('%j, split at %j', (cell, separator, items) =>
    expect(read(cell, 'LIST', null, { separator })).toEqual(items),
  );
});
