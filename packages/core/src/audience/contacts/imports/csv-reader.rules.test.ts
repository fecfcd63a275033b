import { describe, expect, it } from 'vitest';
import { CsvReader, mostCells, TooManyCells } from './csv-reader.rules.ts';

/** Reads a text in pieces of every size up to 3, and whole. */
function readAll(text: string): { rows: string[][]; isOpen: boolean } {
  const results = [1, 2, 3, text.length].map((size) => {
    const reader = new CsvReader(',');
    const rows: string[][] = [];
    for (let at = 0; at < text.length; at += size) rows.push(...reader.feed(text.slice(at, at + size)));
    rows.push(...reader.end());
    return { rows, isOpen: reader.isOpen };
  });
  const [first, ...others] = results;
  for (const other of others) expect(other).toEqual(first);
  return first ?? { rows: [], isOpen: false };
}

describe('rows, in pieces of any size', () => {
  it.each<[string, string, string[][]]>([
    [
      'lines of cells',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a last line without its end', 'a\nb', [['a'], ['b']]],
    ['empty lines', '\n\r\n\na\n\n', [['a']]],
    ['empty cells', ',\n"",\n""', [['', ''], ['', ''], ['']]],
    ['a bare CR', 'a\rb\n', [['a\rb']]],
    ['quoted separators and line ends', '"a,b\r\nc"\n', [['a,b\r\nc']]],
    ['doubled quotes', '"a ""b"" c",""""\n', [['a "b" c', '"']]],
    ['quotes inside a cell', '19" rack,a""b\n', [['19" rack', 'a""b']]],
    ['text after a closing quote', '"Bob "Bobby" Miller",x\n', [['"Bob "Bobby" Miller"', 'x']]],
    ['blanks around cells', ' a ,\tb\n', [[' a ', '\tb']]],
  ])('%s', (_, text, rows) => expect(readAll(text)).toEqual({ rows, isOpen: false }));

  it('a quote that is never closed stays open, and its row is none', () => {
    expect(readAll('a\n"b,c\nd\n')).toEqual({ rows: [['a']], isOpen: true });
  });

  it('a row of too many cells is refused', () => {
    const row = (cells: number) => `${','.repeat(cells - 1)}\n`;
    expect(new CsvReader(',').feed(`${row(mostCells)}xx`)[0]).toHaveLength(mostCells);
    expect(() => new CsvReader(',').feed(`${row(mostCells + 1)}xx`)).toThrow(TooManyCells);
  });
});
