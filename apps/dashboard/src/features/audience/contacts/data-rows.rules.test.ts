import { describe, expect, it } from 'vitest';
import {
  type DataRow,
  dataOf,
  newRow,
  problemsIn,
  readPasted,
  rowsOf,
  withPasted,
  withType,
} from './data-rows.rules.ts';

const row = (key: string, text: string, type: DataRow['type'] = 'text'): DataRow => ({
  ...newRow(),
  key,
  text,
  type,
});

describe('contact data edited in rows', () => {
  it('is unchanged by being opened for editing', () => {
    const data = {
      plan: 'pro',
      seats: 3,
      rate: -0.5,
      vip: false,
      zip: '01234',
      since: '2026-01-31',
      big: 1e21,
      ' padded ': 'x',
    };
    expect(dataOf(rowsOf(data))).toEqual(data);
    expect(problemsIn(rowsOf(data))).toEqual({});
  });

  it('stores a text of digits as text, and a number as a number', () => {
    expect(dataOf([row('zip', '12'), row('seats', ' 12 ', 'number'), row('vip', 'true', 'boolean')])).toEqual(
      {
        zip: '12',
        seats: 12,
        vip: true,
      },
    );
  });

  it('ignores empty rows and names the others that cannot be stored', () => {
    const rows = [
      newRow(),
      row('', 'pro'),
      row('plan', 'a'),
      row('plan', 'b'),
      row('seats', '3 or 4', 'number'),
      row('since', 'soon', 'date'),
      row('{"plan', 'pro'),
      row('x'.repeat(101), 'y'),
      row('gone', ''),
    ];
    expect(rows.map(({ id }) => problemsIn(rows)[id])).toEqual([
      undefined,
      'Enter a field name',
      'Another row has this field name',
      'Another row has this field name',
      'Enter a number, such as 12.5',
      'Select a date',
      'A field name does not begin with a brace, bracket or quote',
      'A field name has at most 100 characters and no line breaks',
      'Enter a value, or remove the row',
    ]);
  });

  it('keeps a value that has a meaning in the new type', () => {
    expect(withType(row('a', '2026-01-31'), 'date').text).toBe('2026-01-31');
    expect(withType(row('a', 'soon'), 'date').text).toBe('');
    expect(withType(row('a', 'false'), 'boolean').text).toBe('false');
  });
});

describe('a pasted text', () => {
  it('becomes rows if it is one JSON object of plain values', () => {
    const pasted = readPasted('{"plan": "pro",\n "seats": 3}');
    const blank = newRow();
    const rows = [...rowsOf({ plan: 'free', since: '2026-01-31' }), blank];
    const data = pasted && 'data' in pasted ? pasted.data : {};
    expect(dataOf(withPasted(rows, blank.id, data))).toEqual({ plan: 'pro', since: '2026-01-31', seats: 3 });
  });

  it('is refused if it looks like JSON and is something else, and taken as it is otherwise', () => {
    for (const text of ['{plan: pro}', '[1]', '{"plan": {"name": "pro"}}', '{"a": null}'])
      expect(readPasted(text)).toEqual({ problem: expect.stringContaining('JSON object') });
    expect(readPasted('plan')).toBeNull();
  });
});
