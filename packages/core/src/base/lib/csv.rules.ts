/** CSV as RFC 4180 defines it, with CRLF, for people who open it in a spreadsheet. */

/** What a spreadsheet would run as a formula; quotes before it are taken away when the file is read. */
const guarded = /^'*[=+\-@\t\r]/;
const special = /[",\r\n]/;
/** What would be read as something else, or lose its blanks. */
const ambiguous = /^(?:true|false)$|^\s|\s$/i;

/** Text at the beginning of a file that tells spreadsheets that it is UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * One value: nothing for null, JSON for objects. A text that a spreadsheet would run as a formula gets a leading `'`, and so does one that
 * begins with such quotes, so that reading takes away what was added here. A text that reads as a number or boolean, or has blanks
 * around it, is in quotes.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = isGuarded(text) ? `'${text}` : text;
  const needsQuotes = special.test(safe) || ambiguous.test(text) || readsAsNumber(text);
  return needsQuotes ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell without the `'` that protects it from being run as a formula. */
export const unguarded = (cell: string): string =>
  cell.charCodeAt(0) === apostrophe && isGuarded(cell) ? cell.slice(1) : cell;

const apostrophe = 0x27;
const isGuarded = (text: string): boolean => guarded.test(text);

const longestNumber = 400;
const readsAsNumber = (text: string): boolean =>
  text !== '' && text.length <= longestNumber && Number.isFinite(Number(text));

/** One line with its end. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`;
