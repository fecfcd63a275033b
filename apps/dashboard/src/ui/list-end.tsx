import { formatCount, formatTotal } from '../lib/format.ts';
import type { Pages } from '../lib/use-list-state.ts';
import { Button } from './button.tsx';
import styles from './list-end.module.css';

interface LoadMoreProps {
  shown: number;
  /** left out where the list does not count its matches */
  total?: number;
  /** matches are counted up to this number */
  countTo?: number | undefined;
  hasMore: boolean;
  pending: boolean;
  onMore: () => void;
}

/** The end of a list that loads more on request. */
export function LoadMore({ shown, total, countTo, hasMore, pending, onMore }: LoadMoreProps) {
  return (
    <div className={styles.end}>
      <span>
        {total === undefined || (countTo !== undefined && shown > countTo)
          ? `${formatCount(shown)} shown`
          : `${formatCount(shown)} of ${formatTotal(Math.max(shown, total), countTo)}`}
      </span>
      {hasMore && (
        <Button small pending={pending} onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

/** The end of a list with numbered pages. */
export function Pager({ page, totalPages, total, onPage }: Pages) {
  return (
    <div className={styles.end}>
      <span>
        {formatCount(total)} total{totalPages > 1 && `, page ${page} of ${totalPages}`}
      </span>
      {totalPages > 1 && (
        <span className={styles.steps}>
          <Button small disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button small disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </div>
  );
}
