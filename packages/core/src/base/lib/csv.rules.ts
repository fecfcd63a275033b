/** CSV as RFC 4180 defines it, with CRLF, for people who open it in a spreadsheet. */

/** What a spreadsheet would run as a formula. */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

/** One value: nothing for null, JSON for objects; a text that looks like a formula gets a leading `'`. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its end. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`;
