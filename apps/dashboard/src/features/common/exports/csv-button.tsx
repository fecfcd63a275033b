import { csvLine } from '@postrider/core/insight/exports/contract';
import { downloadText } from '../../../lib/download.ts';
import { Button } from '../../../ui/button.tsx';

interface CsvButtonProps {
  /** The name of the file, without its ending. */
  name: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Saves the figures of a table as a CSV file, with the rules of the exports of records. */
export const CsvButton = ({ name, head, rows }: CsvButtonProps) => (
  <Button
    small
    icon="download"
    onClick={() => downloadText(`${fileName(name)}.csv`, [head, ...rows].map(csvLine).join(''), 'text/csv')}
  >
    CSV
  </Button>
);

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
