import { byteOrderMark, csvCell, csvLine, unguarded } from '../../../base/lib/csv.rules.ts';
import { numberIn } from './rows.rules.ts';

/** The heading of the column with the reason. */
const reason = 'Import error';

interface FailedRow {
  row: number;
  error: string;
}

export interface FailedRowsShape {
  /** the first row of the file */
  header: readonly string[];
  /** cells of the longest row, as far as they are kept */
  width: number;
}

/**
 * The rows of a batch that were not imported, or without some of their cells, as CSV: the columns of the file, as many without a name as the
 * longest row has, and the reason.
 *
 * @param isFirst whether the header comes before them
 */
export function failedRowsOf(
  { header, width }: FailedRowsShape,
  rows: readonly { row: number; cells: readonly string[] }[],
  failed: readonly FailedRow[],
  isFirst: boolean,
): string {
  const columns = Math.max(header.length, width);
  const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]));
  const lines = failed.map(({ row, error }) => {
    const cells = (cellsOf.get(row) ?? []).slice(0, columns);
    const missing = ','.repeat(columns - Math.max(1, cells.length));
    return `${cells.map(textOf).join(',')}${missing},${csvCell(error)}\r\n`;
  });
  const names = [...header.map(unguarded), ...Array<string>(columns - header.length).fill('')];
  return (isFirst ? byteOrderMark + csvLine([...names, reason]) : '') + lines.join('');
}

/** Numbers stay as they were written; other text is protected from being run as a formula. */
function textOf(cell: string): string {
  const text = unguarded(cell);
  return text === cell && numberIn(text) !== null ? cell : csvCell(text);
}
