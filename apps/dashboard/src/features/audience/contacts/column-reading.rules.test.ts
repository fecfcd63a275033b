import { expect, it } from 'vitest';
import { automatic, proposedReading, readingOf, readings, withReading } from './column-reading.rules.ts';

it.each<[string[], string]>([
  [['19,90', '5,00', ''], 'NUMBER 1.234,5'],
  [['1.234,50 €'], 'NUMBER 1.234,5'],
  [['$1,234.50', '12'], 'NUMBER 1,234.5'],
  [['20.11.2026', '1.2.2026'], 'DATE DD.MM.YYYY'],
  [['20/11/2026'], 'DATE DD/MM/YYYY'],
  [['11/20/2026 2:30 PM'], 'DATETIME MM/DD/YYYY'],
  [['3 Nov 2026'], 'DATE D MMM YYYY'],
])('%j is proposed as %s', (cells, reading) => expect(proposedReading(cells)).toBe(reading));

it.each([
  [['01/02/2026', '03/04/2026']],
  [['1,234']],
  [['19.90', '5']],
  [['2026-11-20']],
  [['20.11.2026', 'soon']],
  [['']],
])('%j is not guessed', (cells) => expect(proposedReading(cells)).toBe(automatic));

it('a target is read as its user chose', () => {
  for (const { value } of readings) expect(readingOf(withReading('data.a', value))).toBe(value);
  expect(withReading({ to: 'data.a', type: 'TEXT' }, automatic)).toBe('data.a');
  expect(withReading('data.a', 'DATE DD/MM/YYYY')).toEqual({
    to: 'data.a',
    type: 'DATE',
    format: 'DD/MM/YYYY',
  });
});
