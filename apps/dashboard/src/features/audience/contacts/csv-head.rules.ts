import {
  type ColumnMapping,
  columnsOf,
  readRow,
  separatorOf,
} from '@postrider/core/audience/contacts/contract';

/** The beginning of a CSV file that is read in the browser; the server reads the whole file. */
export const headBytes = 128 * 1024;
const shownRows = 5;

export interface CsvHead {
  /** The headers, each once. */
  headers: string[];
  /** The header as the file has it, and the first rows. */
  rows: string[][];
}

/**
 * The header and the first rows of a CSV file, as the import reads them; null without a header.
 *
 * @param isWhole the text is not cut off, so that its last row is complete
 */
export function readHead(text: string, isWhole: boolean): CsvHead | null {
  const body = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(new TextEncoder().encode(body));
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    cells.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (cells.some((each) => each !== '') || cells.length > 1) rows.push(cells);
    cells = [];
  };
  for (let at = 0; at < body.length && rows.length <= shownRows; at += 1) {
    const character = body[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) endCell();
    else if (character === '\n') endRow();
    else if (character !== '\r' || body[at + 1] !== '\n') cell += character;
  }
  if (isWhole && rows.length <= shownRows && (cell !== '' || cells.length > 0)) endRow();
  const [header] = rows;
  if (!header) return null;
  return { headers: [...new Set(header.map((each) => each.trim()).filter((each) => each !== ''))], rows };
}

const addressNames = new Set(['email', 'emailaddress', 'mail', 'mailaddress', 'eaddress']);

/** The column that is most likely the address, whatever it is called; undefined if none is. */
const addressIn = (headers: readonly string[]): string | undefined =>
  headers.find((header) => header.toLowerCase() === 'email') ??
  headers.find((header) => addressNames.has(header.toLowerCase().replace(/[^a-z]/g, '')));

/** What each column becomes unless its user decides otherwise: the address, a field of the same name, or nothing. */
export function defaultTargets(headers: readonly string[]): Record<string, string | null> {
  const address = addressIn(headers);
  return Object.fromEntries(
    headers.map((header) => {
      if (header === address) return [header, 'email'];
      const read = columnsOf(['email', header]);
      return [header, read?.keys[1] ? `data.${header}` : null];
    }),
  );
}

/** The contacts of the first rows, as they would be stored. */
export function preview({ rows }: CsvHead, mapping: ColumnMapping) {
  const [header = [], ...others] = rows;
  const columns = columnsOf(header, mapping);
  return columns && others.map((cells) => readRow(columns, cells));
}

/** The first values of a column, for recognising it. */
export function samplesOf({ rows }: CsvHead, header: string): string {
  const [names = [], ...others] = rows;
  const index = names.findIndex((name) => name.trim() === header);
  const values = others.map((cells) => cells[index] ?? '').filter((value) => value.trim() !== '');
  return [...new Set(values)].slice(0, 3).join(', ');
}
