import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import styles from '../../../ui/selection-bar.module.css';
import { BulkChanges } from './bulk-change.tsx';
import { type BulkFilter, everything, nothing, type Selection, sizeOf } from './selection.rules.ts';

interface SelectionBarProps {
  selection: Selection;
  /** The number of contacts that match the filter of the list. */
  total: number;
  /** The filter of the list as a filter of bulk changes; null if they do not support it. */
  filter: BulkFilter | null;
  onSelect: (selection: Selection) => void;
}

/** The number of selected contacts and the actions on them. */
export function SelectionBar({ selection, total, filter, onSelect }: SelectionBarProps) {
  const count = sizeOf(selection, total);
  const offersAll = selection.mode === 'ids' && filter !== null && total > count;
  return (
    <section className={styles.bar} aria-label="Selected contacts">
      <span role="status">{formatCount(count)} selected</span>
      {offersAll && (
        <Button kind="quiet" small onClick={() => onSelect(everything)}>
          Select all {formatCount(total)} matching
        </Button>
      )}
      <span className={styles.actions}>
        <BulkChanges
          selection={selection}
          filter={filter ?? {}}
          count={count}
          onDone={() => onSelect(nothing)}
        />
        <Button kind="quiet" small onClick={() => onSelect(nothing)}>
          Clear selection
        </Button>
      </span>
    </section>
  );
}
