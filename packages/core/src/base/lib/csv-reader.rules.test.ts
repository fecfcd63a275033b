import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  CsvReader,
  type CsvRow,
  type CsvSeparator,
  csvDialectOf,
  longestCell,
  mostCells,
  mostMisquoted,
  NoCsv,
  separatorOf,
} from './csv-reader.rules.ts';

function readIn(text: string, size: number, separator: CsvSeparator, endsWithCr: boolean): CsvRow[] {
  const reader = new CsvReader({ separator, endsWithCr });
  const rows: CsvRow[] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...reader.feed(text.slice(at, at + size)));
  return [...rows, ...reader.end()];
}

/** Reads a text in pieces of every size up to 5, and whole. */
function readAll(text: string, separator: CsvSeparator = ','): CsvRow[] {
  const endsWithCr = !text.includes('\n');
  const whole = readIn(text, text.length || 1, separator, endsWithCr);
  for (const size of [1, 2, 3, 5]) expect(readIn(text, size, separator, endsWithCr)).toEqual(whole);
  return whole;
}

const cellsIn = (text: string): string[][] =>
  readAll(text).map(({ cells, problem }) => (problem ? ['!', ...cells] : cells));

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
    [
      'CR alone, in a text without LF',
      'a,b\rc,"d"\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['CR alone, in a text with LF', 'a\rb\n', [['a\rb']]],
    ['a last line without its end', 'a\nb', [['a'], ['b']]],
    ['a last line with half of its end', 'a\r\nb\r', [['a'], ['b']]],
    ['empty lines, and rows of empty cells', '\n\r\n,\na\n"",\n ,\t\n\n', [['a']]],
    ['empty cells', 'a,,""\n', [['a', '', '']]],
    ['quoted separators and line ends', '"a,b\r\nc"\n', [['a,b\r\nc']]],
    ['doubled quotes', '"a ""b"" c",""""\n', [['a "b" c', '"']]],
    ['quotes inside a cell', '19" rack,a""b\n', [['19" rack', 'a""b']]],
    ['blanks around quotes', ' "a" ,\t"b"\t\r\n"c" \n', [['a', 'b'], ['c']]],
    ['blanks around cells', ' a ,\tb\n', [[' a ', '\tb']]],
    [
      'text after a closing quote',
      'x,"Bob "Bobby" Miller"\ny,z\n',
      [
        ['!', 'x', '"Bob "Bobby" Miller"'],
        ['y', 'z'],
      ],
    ],
    ['a quote that nobody closes', 'a\n"b,c\nd\n', [['a'], ['!', '"b', 'c'], ['d']]],
    [
      'a quote that the next one does not close',
      'a,"b\nc,"d",e\nf\n',
      [['!', 'a', '"b'], ['c', 'd', 'e'], ['f']],
    ],
    ['a quote that opens in the last cell', 'a,"', [['!', 'a', '"']]],
    [
      'a row of several lines that fails',
      '"a\nb","c\nd"x\ne\n',
      [['!', '"a'], ['!', 'b"', '"c'], ['d"x'], ['e']],
    ],
  ])('%s', (_, text, rows) => expect(cellsIn(text)).toEqual(rows));

  it('says which cells were in quotes', () => {
    expect(readAll('"a",b, "c"\n')[0]?.quoted).toEqual([true, false, true]);
  });

  it('keeps the first cells of a very long row, counts all, and says whether the others have content', () => {
    const [empty] = readAll(`a${','.repeat(mostCells + 5)}\n`);
    expect(empty).toMatchObject({ count: mostCells + 6, isCut: false });
    expect(empty?.cells).toHaveLength(mostCells);
    expect(readAll(`a${','.repeat(mostCells + 5)}b\n`)[0]).toMatchObject({ isCut: true });
  });

  it('a cell of more than 64 KiB fails its row only, in quotes or not', () => {
    const long = 'x'.repeat(longestCell);
    const rows = (text: string) => readIn(text, 1_000, ',', false).map(({ problem }) => problem);
    expect(rows(`a,${long}\r\nb\n`)).toEqual([null, null]);
    expect(rows(`a,${long}x\nb\n`)).toEqual(['length', null]);
    expect(rows(`a,${long}x`)).toEqual(['length']);
    expect(rows(`a,"${long}"\nb\n`)).toEqual([null, null]);
    expect(rows(`a,"${long}x"\nb\n`)).toEqual(['open', null]);
    expect(rows(`a,"\n${long}\n"\nb\n`)).toEqual(['open', null, 'quote', null]);
  });

  it('more than 1,000 rows with misplaced quotes are no CSV', () => {
    expect(readIn('"a"b\n'.repeat(mostMisquoted), 100, ',', false)).toHaveLength(mostMisquoted);
    expect(() => readIn('"a"b\n'.repeat(mostMisquoted + 1), 100, ',', false)).toThrow(NoCsv);
  });
});

/** A second reading, as the rules are written: line by line, from the beginning of each row, without regard to the time it takes. */
function reference(text: string): (string[] | null)[] {
  const newline = text.includes('\n') ? /\r?\n/g : /\r/g;
  const rows: (string[] | null)[] = [];
  for (let from = 0; from < text.length; ) {
    newline.lastIndex = from;
    const lineEnd = newline.exec(text);
    const next = lineEnd ? newline.lastIndex : text.length;
    const cells: string[] = [];
    let at = from;
    let end: number | null = null;
    while (end === null) {
      const cell = /[ \t]*"((?:[^"]|"")*)"[ \t]*/y;
      cell.lastIndex = at;
      const quoted = cell.exec(text);
      const opens = /[ \t]*"/y;
      opens.lastIndex = at;
      if (opens.test(text) && !quoted) break;
      let stop = cell.lastIndex;
      if (!quoted) {
        const rest = text.slice(at).search(text.includes('\n') ? /,|\r?\n|\r$/ : /,|\r/);
        stop = rest === -1 ? text.length : at + rest;
      }
      const after = text.includes('\n') ? /,|\r?\n|\r?$/y : /,|\r|$/y;
      after.lastIndex = stop;
      const follows = after.exec(text);
      if (!follows) break;
      cells.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : text.slice(at, stop));
      at = after.lastIndex;
      if (follows[0] !== ',') end = at;
    }
    if (end === null) rows.push(null);
    else if (cells.some((each) => each.trim() !== '')) rows.push(cells);
    from = end ?? next;
    if (end === text.length) break;
  }
  return rows;
}

it('any text gives the rows of a second reading, in pieces of any size', () => {
  const token = fc.constantFrom('"', '""', ',', '\n', '\r\n', 'a', ' ', '\t', '"b"', 'c,', ',"', '"\n', '",');
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (tokens, size) => {
      const text = tokens.join('');
      const withCr = text.replaceAll(/\r?\n/g, '\r');
      for (const each of [`${text}\n`, withCr]) {
        const rows = readIn(each, size, ',', !each.includes('\n'));
        expect(rows.map(({ cells, problem }) => (problem ? null : cells))).toEqual(reference(each));
      }
    }),
    { numRuns: 3_000 },
  );
});

describe('a text that was made to take long', () => {
  const fillings = [
    '"',
    ',',
    '""',
    '\n',
    '\r\n',
    'a',
    '"\n',
    '"""\n',
    'x","\n',
    `${'y'.repeat(400)}","\n`,
    '"a""\n',
    ' "',
    '"\n\n',
    ',"\n"x',
  ];

  it.each(fillings.map((filling) => [JSON.stringify(filling.slice(0, 12)), filling]))(
    'of %s: each character is looked at a bounded number of times',
    (_, filling) => {
      const lookedAt = (length: number): number => {
        const reader = new CsvReader({ separator: ',' });
        const text = filling.repeat(Math.floor(length / filling.length));
        try {
          for (let at = 0; at < text.length; at += 65_536) reader.feed(text.slice(at, at + 65_536));
          reader.end();
        } catch (error) {
          expect(error).toBeInstanceOf(NoCsv);
        }
        return reader.looked;
      };
      expect(lookedAt(1_250_000)).toBeLessThanOrEqual(3 * 1_250_000);
      expect(lookedAt(5_000_000)).toBeLessThanOrEqual(3 * 5_000_000);
    },
  );
});

describe('the dialect', () => {
  it.each<[string, string]>([
    ['a;b;c\n1,2,3,4,5', ';'],
    ['"a,b,c";d\n', ';'],
    ['a|b\n', '|'],
    ['a\tb\tc,d\n', '\t'],
    ['a\n', ','],
    ['19" a;b, c;d\n', ';'],
    ['\n;;;;\na,b\n', ','],
    ['"a ""x;y"" b",c\n', ','],
    ['', ','],
  ])('%j is separated by %j', (text, separator) => {
    expect(separatorOf([text])).toBe(separator);
    expect(separatorOf([...text])).toBe(separator);
  });

  it.each([
    ['sep=;\r\na,b,c\r\n', { separator: ';', skip: 7, endsWithCr: false }],
    ['"sep=,"\na;b;c\n', { separator: ',', skip: 8, endsWithCr: false }],
    ['SEP=\t\ra;b', { separator: '\t', skip: 6, endsWithCr: true }],
    ['sep=x\na;b', { separator: ',', skip: 0, endsWithCr: false }],
    ['separator,b\n', { separator: ',', skip: 0, endsWithCr: false }],
  ])('%j', (text, dialect) => expect(csvDialectOf([text])).toEqual(dialect));
});
