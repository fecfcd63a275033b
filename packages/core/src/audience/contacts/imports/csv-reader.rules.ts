const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = ['"', '\n', '\r'].map((char) => char.charCodeAt(0));
/** Characters after one that decide what it means: a quote may be followed by CRLF. */
const lookahead = 2;

/** More cells than a row of any table has. */
export const mostCells = 10_000;

/** A row of more cells than `mostCells`. */
export class TooManyCells extends Error {}

/**
 * Reads CSV in pieces (RFC 4180). Cells in quotes may have doubled quotes, separators and line ends; a quote within a cell that does not begin
 * with one is a character, and so are the quotes of a cell that goes on after its closing quote. Lines end with LF or CRLF; empty ones
 * are skipped. It looks at each character a bounded number of times.
 */
export class CsvReader {
  readonly #separator: number;
  #rows: string[][] = [];
  #row: string[] = [];
  /** of the current cell: what was read before the current run of characters */
  #cell = '';
  #isQuoted = false;
  #wasQuoted = false;
  /** characters that were fed and not read yet */
  #rest = '';

  constructor(separator: string) {
    this.#separator = separator.charCodeAt(0);
  }

  /** Whether the quote of a cell is still open. */
  get isOpen(): boolean {
    return this.#isQuoted;
  }

  /** @returns the rows that are complete @throws TooManyCells */
  feed(piece: string): string[][] {
    const text = this.#rest + piece;
    const end = Math.max(0, text.length - lookahead);
    this.#rest = text.slice(this.#read(text, end));
    return this.#taken();
  }

  /** @returns the last rows; without what follows a quote that is still open */
  end(): string[][] {
    this.#read(this.#rest, this.#rest.length);
    this.#rest = '';
    if (!this.#isQuoted) this.#endRow('');
    return this.#taken();
  }

  #taken(): string[][] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** @returns the position after what was read */
  #read(text: string, end: number): number {
    let from = 0;
    let at = 0;
    while (at < end) {
      const char = text.charCodeAt(at);
      if (this.#isQuoted) {
        const quote = char === QUOTE ? at : text.indexOf('"', at);
        if (quote === -1 || quote >= end) {
          at = end;
          break;
        }
        const isDoubled = text.charCodeAt(quote + 1) === QUOTE;
        const closes = !isDoubled && this.#endsCell(text, quote + 1);
        if (closes) this.#cell += text.slice(from, quote);
        else if (isDoubled) this.#cell += text.slice(from, quote + 1);
        else this.#cell = `"${this.#cell}${text.slice(from, quote + 1)}`;
        this.#isQuoted = isDoubled;
        this.#wasQuoted = true;
        at = quote + (isDoubled ? 2 : 1);
        from = at;
      } else if (char === QUOTE && from === at && this.#cell === '') {
        this.#isQuoted = true;
        at += 1;
        from = at;
      } else if (char === this.#separator) {
        this.#endCell(text.slice(from, at));
        at += 1;
        from = at;
      } else if (lineEndAt(text, at) > 0) {
        this.#endRow(text.slice(from, at));
        at += lineEndAt(text, at);
        from = at;
      } else at += 1;
    }
    this.#cell += text.slice(from, at);
    return at;
  }

  #endsCell(text: string, at: number): boolean {
    return at >= text.length || text.charCodeAt(at) === this.#separator || lineEndAt(text, at) > 0;
  }

  #endCell(rest: string): void {
    if (this.#row.length >= mostCells) throw new TooManyCells();
    this.#row.push(this.#cell + rest);
    this.#cell = '';
    this.#wasQuoted = false;
  }

  #endRow(rest: string): void {
    const isEmpty = this.#row.length === 0 && this.#cell === '' && rest === '' && !this.#wasQuoted;
    if (isEmpty) return;
    this.#endCell(rest);
    this.#rows.push(this.#row);
    this.#row = [];
  }
}

/** The length of the line end at this place; 0 without one. */
function lineEndAt(text: string, at: number): number {
  const char = text.charCodeAt(at);
  if (char === LINE_FEED) return 1;
  return char === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED ? 2 : 0;
}
