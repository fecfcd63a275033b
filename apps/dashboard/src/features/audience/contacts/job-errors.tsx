import { formatCount } from '../../../lib/format.ts';
import { Cell, SecondLine, Table } from '../../../ui/table.tsx';
import styles from './job.module.css';

interface JobErrorsProps {
  label: string;
  /** The heading of the first column; the column is omitted without it. */
  head?: string;
  total: number;
  errors: { key: string; email: string | null; error: string }[];
}

/** The errors of a job. A job keeps only its first hundred. */
export function JobErrors({ label, head, total, errors }: JobErrorsProps) {
  if (errors.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.errors} tabIndex={0} aria-label={label}>
        <Table
          label={label}
          columns={[
            ...(head ? [{ label: head }] : []),
            { label: 'Email' },
            { label: 'Problem', extra: true },
          ]}
        >
          {errors.map(({ key, email, error }) => (
            <tr key={key}>
              {head && <Cell faint>{key}</Cell>}
              <Cell clip>
                {email || 'None'}
                <SecondLine>{error}</SecondLine>
              </Cell>
              <Cell extra>{error}</Cell>
            </tr>
          ))}
        </Table>
      </section>
      {total > errors.length && (
        <p className={styles.rest}>
          Showing the first {formatCount(errors.length)} of {formatCount(total)}.
        </p>
      )}
    </>
  );
}
