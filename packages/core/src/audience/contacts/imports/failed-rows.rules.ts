import { csvCell, csvLine } from '../../../base/lib/csv.rules.ts';
import { cellValue } from './csv.rules.ts';

/** The heading of the column with the reason. */
const reason = 'Import error';

interface FailedRow {
  row: number;
  error: string;
}

/**
 * The rows of a batch that were not imported, as CSV: the columns of the file and the reason after them. Cells that a row has beyond
 * the header follow the reason.
 *
 * @param isFirst whether the header comes before them
 */
export function failedRowsOf(
  header: readonly string[],
  rows: readonly { row: number; cells: readonly string[] }[],
  failed: readonly FailedRow[],
  isFirst: boolean,
): string {
  const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]));
  const lines = failed.map(({ row, error }) => {
    const cells = cellsOf.get(row) ?? [];
    const own = cells.slice(0, header.length).map(textOf).join(',');
    const missing = ','.repeat(header.length - Math.max(1, Math.min(cells.length, header.length)));
    const more = cells.slice(header.length).map((cell) => `,${textOf(cell)}`);
    return `${own}${missing},${csvCell(error)}${more.join('')}\r\n`;
  });
  return (isFirst ? csvLine([...header, reason]) : '') + lines.join('');
}

/** Numbers stay as they were written; other text is protected from being run as a formula. */
const textOf = (cell: string): string => (typeof cellValue(cell) === 'number' ? cell : csvCell(cell));
