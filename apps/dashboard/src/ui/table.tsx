import { Children, createContext, type ReactNode, useContext } from 'react';
import type { Direction } from '../lib/list-state.rules.ts';
import { Icon } from './icon.tsx';
import styles from './table.module.css';

interface Column {
  label: string;
  /** The id by which it is shown or hidden; the label if absent. */
  id?: string;
  /** Aligns figures to the right. */
  numeric?: boolean;
  /** Hidden on narrow screens. */
  extra?: boolean;
  /** Shown on wide screens only. */
  wide?: boolean;
  /** Shown in place of the label. */
  control?: ReactNode;
  /** The name that sorts by this column; absent where the API offers no such order. */
  sort?: string;
  /** The order after the first click; names ascend, times and counts descend. */
  first?: Direction;
}

export interface Sorting {
  by: string;
  direction: Direction;
  onSort: (by: string, first?: Direction) => void;
}

/** The ids of the columns that are hidden in the tables below. */
export const HiddenColumns = createContext<ReadonlySet<string>>(new Set());

/** The places of the hidden columns of the enclosing table. */
const HiddenPlaces = createContext<ReadonlySet<number>>(new Set());

/** @param label the accessible name of the table */
export function Table({
  label,
  columns,
  sorting,
  children,
}: {
  label: string;
  columns: Column[];
  sorting?: Sorting;
  children: ReactNode;
}) {
  const hidden = useContext(HiddenColumns);
  const places = columns.flatMap(({ label, id = label }, place) => (hidden.has(id) ? [place] : []));
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(
              (column, place) =>
                !places.includes(place) && (
                  <HeadCell key={column.id ?? column.label} column={column} sorting={sorting} />
                ),
            )}
          </tr>
        </thead>
        <HiddenPlaces value={new Set(places)}>
          <tbody>{children}</tbody>
        </HiddenPlaces>
      </table>
    </div>
  );
}

function HeadCell({ column, sorting }: { column: Column; sorting: Sorting | undefined }) {
  const { label, numeric, extra, wide, control, sort, first } = column;
  const isSorted = sort !== undefined && sorting?.by === sort;
  const order = sorting?.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" className={cellClass({ numeric, extra, wide })} aria-sort={isSorted ? order : undefined}>
      {sort !== undefined && sorting ? (
        <button type="button" className={styles.sort} onClick={() => sorting.onSort(sort, first)}>
          {label}
          {isSorted && <Icon name={order} size={12} />}
        </button>
      ) : (
        (control ?? label)
      )}
    </th>
  );
}

interface CellLook {
  numeric?: boolean | undefined;
  extra?: boolean | undefined;
  wide?: boolean | undefined;
  /** Truncated instead of wrapped. */
  clip?: boolean | undefined;
  /** As wide as it is, but truncated where it is long; many of them can be moved sideways. */
  value?: boolean | undefined;
  /** Truncated, but narrower than other columns on wide screens. */
  brief?: boolean | undefined;
  /** On one line where the screen is wide. */
  nowrap?: boolean | undefined;
  faint?: boolean | undefined;
  code?: boolean | undefined;
}

const cellClass = ({ numeric, extra, wide, clip, value, brief, nowrap, faint, code }: CellLook): string =>
  [
    numeric && styles.numeric,
    extra && styles.extra,
    wide && styles.wide,
    (clip || brief) && styles.clip,
    value && styles.value,
    brief && styles.brief,
    nowrap && styles.nowrap,
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

/** A row that is covered by its link, the one with `rowLinkClass`. It has one cell for each column, hidden or not. */
export function Row({ children }: { children: ReactNode }) {
  const hidden = useContext(HiddenPlaces);
  const cells = Children.toArray(children).filter((_, place) => !hidden.has(place));
  return <tr className={styles.row}>{cells}</tr>;
}
export const rowLinkClass = styles.rowLink;

/** The content of a column hidden on narrow screens, below the first cell's content. */
export const SecondLine = ({ besideAvatar, children }: { besideAvatar?: boolean; children: ReactNode }) => (
  <span className={`${styles.second} ${besideAvatar ? styles.besideAvatar : ''}`}>{children}</span>
);
