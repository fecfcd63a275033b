/** Reading CSV (RFC 4180) as other programs write it, in a server and in a browser. */

/** How the cells and lines of a text are told apart. */
export interface CsvDialect {
  separator: CsvSeparator;
  /** A carriage return alone ends a line: only in a text without a line feed. */
  endsWithCr: boolean;
  /** Characters before the header: the line `sep=;` that Excel writes. */
  skip: number;
}

export const csvSeparators = [',', ';', '|', '\t'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/**
 * `quote`: a quote is not closed or stands in the wrong place. `open`: the same of a cell that would have more than 64 KiB. `length`: a cell
 * without quotes has more than 64 KiB.
 */
export type CsvProblem = 'quote' | 'open' | 'length';

export interface CsvRow {
  /** Those of a row with a problem are its first line, split at every separator. */
  cells: string[];
  /** by position, whether the cell was in quotes */
  quoted: readonly boolean[];
  /** how many cells the row has; `cells` has at most `mostCells` of them */
  count: number;
  /** a cell that is not in `cells` has content */
  isCut: boolean;
  problem: CsvProblem | null;
}

/** The cells of a row that are kept. */
export const mostCells = 10_000;
/** Characters of a cell: 64 KiB. */
export const longestCell = 65_536;
/** Rows with a misplaced quote, before a text is no CSV. */
export const mostMisquoted = 1_000;

/** More than `mostMisquoted` rows with a quote that is not closed or stands in the wrong place. */
export class NoCsv extends Error {}

const [QUOTE, LINE_FEED, CARRIAGE_RETURN, BLANK, TAB] = ['"', '\n', '\r', ' ', '\t'].map((char) =>
  char.charCodeAt(0),
);

type State =
  /** before a cell, or in the blanks at its beginning */
  | 'start'
  | 'plain'
  | 'quoted'
  /** after a quote in quotes: doubled, or the end of the cell */
  | 'quote'
  /** only blanks may follow until the cell ends */
  | 'closed'
  /** a carriage return after a closed cell: only its line feed may follow */
  | 'return'
  /** the rest of a line that has a problem */
  | 'rest';

/**
 * A state machine that is fed a text in pieces of any size. A cell that begins with a quote, blanks around it aside, ends at the next quote
 * that is not doubled; elsewhere a quote is a character. Where such a quote is missing or misplaced, only the row fails in which the cell began,
 * and reading goes on with the next line after its first one.
 *
 * Such a row is read once more, line by line. No line is read a third time: a line end in quotes that the failed row has crossed, before the
 * place where it failed, leads any other row to the same place. So each character is looked at a bounded number of times.
 */
export class CsvReader {
  readonly #separator: number;
  readonly #splitAt: string;
  readonly #endsWithCr: boolean;
  /** the text from the beginning of the row on, and where each piece begins in the whole */
  #pieces: string[] = [];
  #starts: number[] = [];
  #fed = 0;
  /** where to read next: the piece, and the place in it */
  #piece = 0;
  #at = 0;
  #state: State = 'start';
  #rowStart = 0;
  /** where the second line of the row begins; -1 in its first line */
  #secondLine = -1;
  /** where the quote of the current cell stands */
  #openedAt = 0;
  /** a row that crosses a line end in quotes before this place fails */
  #doomedUntil = -1;
  #problem: CsvProblem = 'quote';
  #cell = '';
  #isQuoted = false;
  #cells: string[] = [];
  #quoted: boolean[] = [];
  #count = 0;
  #isCut = false;
  #isFilled = false;
  #rows: CsvRow[] = [];
  #misquoted = 0;
  #looked = 0;

  constructor({ separator, endsWithCr = false }: Pick<CsvDialect, 'separator'> & Partial<CsvDialect>) {
    this.#separator = separator.charCodeAt(0);
    this.#splitAt = separator;
    this.#endsWithCr = endsWithCr;
  }

  /** How many characters were looked at so far, those that were read again included. */
  get looked(): number {
    return this.#looked;
  }

  /** @returns the rows that are complete, without empty ones @throws NoCsv */
  feed(piece: string): CsvRow[] {
    if (piece !== '') {
      this.#pieces.push(piece);
      this.#starts.push(this.#fed);
      this.#fed += piece.length;
    }
    this.#run();
    return this.#taken();
  }

  /** @returns the last rows @throws NoCsv */
  end(): CsvRow[] {
    this.#run();
    while (this.#state === 'quoted') {
      this.#fail('quote', this.#fed);
      this.#run();
    }
    if (this.#state === 'start' || this.#state === 'plain') {
      if (this.#cell.endsWith('\r')) this.#cell = this.#cell.slice(0, -1);
      if (this.#cell.length > longestCell) this.#skip('length');
    }
    if (this.#state === 'rest') this.#endFailed(this.#fed);
    else if (this.#rowStart < this.#fed) this.#endRow();
    return this.#taken();
  }

  #taken(): CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #run(): void {
    for (let piece = this.#pieces[this.#piece]; piece !== undefined; piece = this.#pieces[this.#piece]) {
      const from = this.#at;
      const { at, hasMoved } = this.#read(piece, from);
      this.#looked += at - from;
      if (hasMoved) continue;
      this.#piece += 1;
      this.#at = 0;
    }
  }

  /** Reads a piece to its end, or until a failed row moves the place where reading goes on. */
  #read(text: string, begin: number): { at: number; hasMoved: boolean } {
    const base = this.#starts[this.#piece] ?? 0;
    const length = text.length;
    const lineEnd = this.#endsWithCr ? CARRIAGE_RETURN : LINE_FEED;
    let at = begin;
    /** what is read from here on is not yet in the cell */
    let from = at;
    while (at < length) {
      const char = text.charCodeAt(at);
      switch (this.#state) {
        case 'start':
          if (char === QUOTE) {
            this.#state = 'quoted';
            this.#isQuoted = true;
            this.#openedAt = base + at;
            this.#cell = '';
            at += 1;
            from = at;
          } else if (char === lineEnd && base + at === this.#rowStart && this.#piece === 0) {
            // An empty row; a file may consist of them.
            at += 1;
            from = at;
            this.#rowStart = base + at;
          } else if (char !== this.#separator && (char === BLANK || char === TAB)) at += 1;
          else this.#state = 'plain';
          break;
        case 'plain': {
          at = this.#endOfPlain(text, at);
          if (at === length) break;
          this.#cell += text.slice(from, at);
          const isLineEnd = text.charCodeAt(at) !== this.#separator;
          if (isLineEnd && !this.#endsWithCr && this.#cell.endsWith('\r'))
            this.#cell = this.#cell.slice(0, -1);
          if (this.#cell.length > longestCell) {
            this.#skip('length');
            from = at;
            break;
          }
          at += 1;
          from = at;
          if (isLineEnd) this.#beginRow(base + at);
          else this.#endCell();
          break;
        }
        case 'quoted': {
          const next = this.#nextInQuotes(text, at);
          if (next === length) {
            at = next;
            break;
          }
          if (text.charCodeAt(next) !== QUOTE) {
            this.#secondLine = base + next + 1;
            if (base + next < this.#doomedUntil) {
              return { at: next + 1, hasMoved: this.#fail('quote', this.#doomedUntil) };
            }
            at = next + 1;
            break;
          }
          this.#cell += text.slice(from, next);
          at = next + 1;
          from = at;
          if (this.#cell.length <= longestCell) this.#state = 'quote';
          else if (this.#fail('open', this.#openedAt)) return { at, hasMoved: true };
          break;
        }
        case 'quote':
          if (char === QUOTE) {
            this.#cell += '"';
            this.#state = 'quoted';
            at += 1;
            from = at;
            break;
          }
          this.#state = 'closed';
          break;
        case 'closed':
        case 'return':
          if (char === LINE_FEED || (char === CARRIAGE_RETURN && this.#endsWithCr)) {
            at += 1;
            from = at;
            this.#beginRow(base + at);
          } else if (this.#state === 'closed' && char === this.#separator) {
            this.#endCell();
            at += 1;
            from = at;
          } else if (this.#state === 'closed' && (char === BLANK || char === TAB)) at += 1;
          else if (this.#state === 'closed' && char === CARRIAGE_RETURN) {
            this.#state = 'return';
            at += 1;
          } else {
            if (this.#fail('quote', base + at)) return { at, hasMoved: true };
            from = at;
          }
          break;
        case 'rest':
          at = this.#endOfLine(text, at);
          if (at === length) break;
          at += 1;
          from = at;
          this.#endFailed(base + at);
          break;
      }
    }
    return { at, hasMoved: this.#keep(text.slice(from, at)) };
  }

  /** Takes what a piece ends with as a part of the cell, if it is one. @returns whether the place has moved */
  #keep(part: string): boolean {
    if (this.#state === 'start' || this.#state === 'plain') {
      this.#cell += part;
      // One more for a carriage return that may be part of the line end.
      if (this.#cell.length > longestCell + 1) this.#skip('length');
    } else if (this.#state === 'quoted') {
      this.#cell += part;
      return this.#cell.length > longestCell && this.#fail('open', this.#openedAt);
    }
    return false;
  }

  #endOfPlain(text: string, from: number): number {
    const lineEnd = this.#endsWithCr ? CARRIAGE_RETURN : LINE_FEED;
    let at = from;
    for (; at < text.length; at += 1) {
      const char = text.charCodeAt(at);
      if (char === this.#separator || char === lineEnd) break;
    }
    return at;
  }

  #endOfLine(text: string, from: number): number {
    const at = text.indexOf(this.#endsWithCr ? '\r' : '\n', from);
    return at === -1 ? text.length : at;
  }

  /** The next quote, or in its first line the end of the line. */
  #nextInQuotes(text: string, from: number): number {
    const lineEnd = this.#endsWithCr ? CARRIAGE_RETURN : LINE_FEED;
    if (this.#secondLine !== -1) {
      const quote = text.indexOf('"', from);
      return quote === -1 ? text.length : quote;
    }
    let at = from;
    for (; at < text.length; at += 1) {
      const char = text.charCodeAt(at);
      if (char === QUOTE || char === lineEnd) break;
    }
    return at;
  }

  #endCell(): void {
    const isFilled = this.#cell.trim() !== '';
    this.#isFilled ||= isFilled;
    if (this.#count < mostCells) {
      this.#cells.push(this.#cell);
      this.#quoted.push(this.#isQuoted);
    } else this.#isCut ||= isFilled;
    this.#count += 1;
    this.#cell = '';
    this.#isQuoted = false;
    this.#state = 'start';
  }

  /** Ends the row; the next one begins at this place. */
  #beginRow(at: number): void {
    this.#endRow();
    this.#startRow(at);
  }

  #endRow(): void {
    this.#endCell();
    if (!this.#isFilled) return;
    const [cells, quoted] = [this.#cells, this.#quoted];
    this.#rows.push({ cells, quoted, count: this.#count, isCut: this.#isCut, problem: null });
    this.#cells = [];
    this.#quoted = [];
  }

  #startRow(at: number): void {
    this.#rowStart = at;
    this.#secondLine = -1;
    this.#state = 'start';
    this.#cell = '';
    this.#isQuoted = false;
    this.#cells.length = 0;
    this.#quoted.length = 0;
    this.#count = 0;
    this.#isCut = false;
    this.#isFilled = false;
    const before = this.#piece;
    if (before === 0) return;
    this.#pieces.splice(0, before);
    this.#starts.splice(0, before);
    this.#piece = 0;
  }

  /** The row fails at the end of the current line, and reading goes on there. */
  #skip(problem: CsvProblem): void {
    this.#problem = problem;
    this.#state = 'rest';
  }

  /** The row fails; reading goes on with the line after its first. @returns whether this is another place */
  #fail(problem: CsvProblem, doomedUntil: number): boolean {
    this.#misquoted += 1;
    if (this.#misquoted > mostMisquoted) throw new NoCsv();
    this.#doomedUntil = Math.max(this.#doomedUntil, doomedUntil);
    this.#problem = problem;
    if (this.#secondLine === -1) {
      this.#state = 'rest';
      return false;
    }
    const next = this.#secondLine;
    this.#addFailed(next);
    let piece = Math.min(this.#piece, this.#pieces.length - 1);
    while ((this.#starts[piece] ?? 0) > next) piece -= 1;
    this.#piece = piece;
    this.#at = next - (this.#starts[piece] ?? 0);
    this.#startRow(next);
    return true;
  }

  #endFailed(at: number): void {
    this.#addFailed(at);
    this.#startRow(at);
  }

  #addFailed(end: number): void {
    const line = this.#textTo(end).replace(/\r?\n$|\r$/, '');
    const cells = line.split(this.#splitAt, mostCells + 1);
    const isCut = cells.length > mostCells;
    const kept = cells.slice(0, mostCells);
    this.#rows.push({ cells: kept, quoted: [], count: kept.length, isCut, problem: this.#problem });
  }

  /** The text of the row up to a place. */
  #textTo(end: number): string {
    return this.#pieces
      .map((piece, index) => {
        const start = this.#starts[index] ?? 0;
        return piece.slice(Math.max(0, this.#rowStart - start), Math.max(0, end - start));
      })
      .join('');
  }
}

/** Finds out how a text is written, from its beginning on; the pieces are the whole text, or its beginning. */
export function csvDialectOf(pieces: readonly string[]): CsvDialect {
  const endsWithCr = !pieces.some((piece) => piece.includes('\n'));
  const named = /^"?sep=([,;|\t])"?[ \t]*(\r?\n|\r|$)/i.exec((pieces[0] ?? '').slice(0, 12));
  if (named) return { separator: named[1] as CsvSeparator, endsWithCr, skip: named[0].length };
  return { separator: separatorOf(pieces), endsWithCr, skip: 0 };
}

const separatorCodes = csvSeparators.map((each) => each.charCodeAt(0));
/** Characters in which the header is looked for: reading more of a file without one would hold up others. */
const longestHeader = 1_048_576;
/** 1 at the codes of separators. */
const isSeparator = new Uint8Array(128);
for (const code of separatorCodes) isSeparator[code] = 1;

/** The most frequent separator in the header, outside of quotes; the comma without any. */
export function separatorOf(pieces: readonly string[]): CsvSeparator {
  const counts = new Uint32Array(128);
  let isQuoted = false;
  let isFresh = true;
  let hasText = false;
  let looked = 0;
  reading: for (const piece of pieces) {
    if (looked >= longestHeader) break;
    looked += piece.length;
    for (let at = 0; at < piece.length; at += 1) {
      const char = piece.charCodeAt(at);
      if (isQuoted) {
        if (char === QUOTE) {
          // The second quote of two opens the cell again.
          isQuoted = false;
          isFresh = true;
        } else hasText = true;
      } else if (char === QUOTE && isFresh) isQuoted = true;
      else if (char === LINE_FEED || char === CARRIAGE_RETURN) {
        // Lines without a name are no header.
        if (hasText) break reading;
        for (const code of separatorCodes) counts[code] = 0;
        isFresh = true;
      } else if (isSeparator[char] === 1) {
        counts[char] = (counts[char] ?? 0) + 1;
        isFresh = true;
      } else if (char !== BLANK) {
        isFresh = false;
        hasText = true;
      }
    }
  }
  let best: CsvSeparator = ',';
  for (const each of csvSeparators)
    if ((counts[each.charCodeAt(0)] ?? 0) > (counts[best.charCodeAt(0)] ?? 0)) best = each;
  return best;
}
