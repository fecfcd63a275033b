import type { ReactNode } from 'react';
import { formatCount, formatPercent } from '../lib/format.ts';
import styles from './rank-table.module.css';

export interface Rank {
  key: string;
  /** The text of the row; long ones are cut off. */
  name: ReactNode;
  /** Its length decides the bar: the largest one fills the width. */
  count: number;
  /** Further figures, already formatted. */
  more?: readonly string[];
}

interface RankTableProps {
  label: string;
  /** Headings: of the names, of the counts, and of the further figures. */
  head: readonly [string, string, ...string[]];
  ranks: readonly Rank[];
  /** The total that percentages of the counts refer to; without it, no percentages are shown. */
  whole?: number;
}

/** Names by a count, each with a horizontal bar behind it. It is a table, so it needs no alternative for screen readers. */
export function RankTable({ label, head, ranks, whole }: RankTableProps) {
  const most = Math.max(1, ...ranks.map(({ count }) => count));
  return (
    <table className={styles.ranks} aria-label={label}>
      <thead>
        <tr>
          {head.map((name, index) => (
            <th key={name} scope="col" className={index === 0 ? undefined : styles.number}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ranks.map(({ key, name, count, more = [] }) => (
          <tr key={key}>
            <th scope="row">
              <span className={styles.bar} style={{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
              <span className={styles.name}>{name}</span>
            </th>
            <td className={styles.number}>
              {formatCount(count)}
              {whole !== undefined && whole > 0 && (
                <span className={styles.share}>{formatPercent(Math.round((count / whole) * 1000) / 10)}</span>
              )}
            </td>
            {more.map((figure, index) => (
              <td key={head[index + 2]} className={styles.number}>
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
