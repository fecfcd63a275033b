/** Writes a table as CSV (RFC 4180), quoting cells where needed. */
export const stringify = (table: string[][], separator: string, lineEnd: string): string =>
  table.map((row) => row.map((cell) => quoted(cell, separator)).join(separator) + lineEnd).join('');

const quoted = (cell: string, separator: string): string =>
  cell === '' || /["\r\n]|^\s|\s$/.test(cell) || cell.includes(separator)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
