import type { ReactNode } from 'react';
import styles from './table.module.css';

interface Column {
  label: string;
  /** Aligns figures to the right. */
  numeric?: boolean;
  /** Hidden on narrow screens. */
  extra?: boolean;
  /** Shown in place of the label. */
  control?: ReactNode;
}

/** @param label the accessible name of the table */
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
  /** Truncated instead of wrapped. */
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
  /** What it selects. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Selects a row, or all of them. It is above the link that covers the row. */
export const Check = ({ label, checked, onChange }: CheckProps) => (
  <input
    type="checkbox"
    className={styles.check}
    aria-label={label}
    checked={checked}
    onChange={({ target }) => onChange(target.checked)}
  />
);

/** Buttons in a row that is covered by its link. */
export const CellActions = ({ children }: { children: ReactNode }) => (
  <span className={styles.actions}>{children}</span>
);

/** A row that is covered by its link, the one with `rowLinkClass`. */
export const Row = ({ children }: { children: ReactNode }) => <tr className={styles.row}>{children}</tr>;
export const rowLinkClass = styles.rowLink;

/** The content of a column hidden on narrow screens, below the first cell's content. */
export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className={styles.second}>{children}</span>
);
