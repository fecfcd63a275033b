import type { ReactNode } from 'react';
import styles from './table.module.css';

interface Column {
  label: string;
  /** Figures stand right. */
  numeric?: boolean;
  /** Left out where the screen is narrow. */
  extra?: boolean;
  /** Shown in the place of the label, which then is only read out. */
  control?: ReactNode;
}

/** @param label what the rows are, for those who do not see the page around them */
export function Table({
  label,
  columns,
  children,
}: {
  label: string;
  columns: Column[];
  children: ReactNode;
}) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ label: name, numeric, extra, control }) => (
              <th key={name} scope="col" className={cellClass({ numeric, extra })}>
                {control ?? name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface CellLook {
  numeric?: boolean | undefined;
  extra?: boolean | undefined;
  /** Cut off rather than wrapped. */
  clip?: boolean | undefined;
  faint?: boolean | undefined;
  code?: boolean | undefined;
}

const cellClass = ({ numeric, extra, clip, faint, code }: CellLook): string =>
  [
    numeric && styles.numeric,
    extra && styles.extra,
    clip && styles.clip,
    faint && styles.faint,
    code && styles.code,
  ]
    .filter(Boolean)
    .join(' ');

export function Cell({ children, ...look }: CellLook & { children?: ReactNode }) {
  return <td className={cellClass(look)}>{children}</td>;
}

interface CheckProps {
  /** What is chosen by it. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Chooses a row, or all of them; it stays above a link that covers the row. */
export const Check = ({ label, checked, onChange }: CheckProps) => (
  <input
    type="checkbox"
    className={styles.check}
    aria-label={label}
    checked={checked}
    onChange={({ target }) => onChange(target.checked)}
  />
);

/** Something to press in a row whose link covers all of it. */
export const CellActions = ({ children }: { children: ReactNode }) => (
  <span className={styles.actions}>{children}</span>
);

/** A row whose link, given as `RowLink`, covers all of it. */
export const Row = ({ children }: { children: ReactNode }) => <tr className={styles.row}>{children}</tr>;
export const rowLinkClass = styles.rowLink;

/** What a column that is left out on narrow screens says, below the first thing of the row. */
export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className={styles.second}>{children}</span>
);
