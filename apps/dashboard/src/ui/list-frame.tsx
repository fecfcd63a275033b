import type { ReactNode } from 'react';
import type { Columns } from '../lib/use-columns.ts';
import type { Pages } from '../lib/use-list-state.ts';
import { Button } from './button.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';
import { LoadMore, Pager } from './list-end.tsx';
import styles from './list-frame.module.css';
import { LoadFailure } from './notice.tsx';
import { Frame } from './panel.tsx';
import { Skeleton } from './skeleton.tsx';
import { HiddenColumns } from './table.tsx';
import { Search, Toolbar } from './toolbar.tsx';

interface Loading {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** The part of an infinite query that the end of a list needs. */
interface Growing extends Loading {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface ListFrameProps {
  /** The accessible name of the list. */
  label: string;
  /** What its rows are, in the plural; the label in lower case if it is absent. */
  noun?: string;
  search?: { label: string; text: string; onChange: (text: string) => void };
  /** `Filter` controls. */
  filters?: ReactNode;
  /** On the right of the toolbar: a figure. */
  aside?: ReactNode;
  /** The columns that may be hidden, and which are shown. */
  columns?: Columns;
  /** The bulk actions on the selected rows; replaces the toolbar. */
  selection?: ReactNode;
  query: Loading;
  /** The number of loaded rows. */
  shown: number;
  /** Whether the rows are only those that match a search or filter. */
  isFiltered?: boolean;
  onClear?: () => void;
  /** Shown when there is nothing at all, with the one action to take. */
  empty: { icon: IconName; title: string; text?: ReactNode; action?: ReactNode };
  /** The end of a list that loads more on request. */
  more?: { query: Growing; total?: number; countTo?: number | undefined };
  /** The end of a list with numbered pages. */
  pages?: Pages | undefined;
  /** The table. */
  children: ReactNode;
}

/** A list with everything around it: search and filters, loading, failure, nothing there, nothing found, and its end. */
export function ListFrame(props: ListFrameProps) {
  const {
    label,
    search,
    query,
    shown,
    isFiltered = false,
    onClear,
    empty,
    more,
    pages,
    columns,
    children,
  } = props;
  const { noun = label.toLowerCase() } = props;
  const isEmpty = !query.isPending && !query.isError && shown === 0;
  return (
    <Frame label={label} head={<Head {...props} isHidden={isEmpty && !isFiltered} />}>
      {query.isPending && <Skeleton lines={8} label={`Loading ${noun}`} />}
      {query.isError && shown === 0 && (
        <div className={styles.failure}>
          <LoadFailure error={query.error} retry={query.refetch} />
        </div>
      )}
      {shown > 0 && <HiddenColumns value={hiddenIn(columns)}>{children}</HiddenColumns>}
      {isEmpty && !isFiltered && (
        <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
          {empty.text}
        </EmptyState>
      )}
      {isEmpty && isFiltered && (
        <EmptyState
          icon="search"
          title={`No ${noun} match your ${search ? 'search' : 'filters'}`}
          action={onClear && <Button onClick={onClear}>Clear search and filters</Button>}
        />
      )}
      {shown > 0 && (more || pages) && (
        <div className={styles.end}>
          {more && (
            <LoadMore
              shown={shown}
              {...(more.total !== undefined && { total: more.total })}
              countTo={more.countTo}
              hasMore={more.query.hasNextPage}
              pending={more.query.isFetchingNextPage}
              onMore={() => void more.query.fetchNextPage()}
            />
          )}
          {pages && <Pager {...pages} />}
        </div>
      )}
    </Frame>
  );
}

const hiddenIn = (columns: Columns | undefined): ReadonlySet<string> =>
  new Set(columns?.options.map(({ value }) => value).filter((value) => !columns.shown.has(value)));

/** Nothing to search in needs no search box. */
function Head({
  search,
  filters,
  aside,
  columns,
  selection,
  isHidden,
}: Pick<ListFrameProps, 'search' | 'filters' | 'aside' | 'columns' | 'selection'> & { isHidden: boolean }) {
  if (selection) return selection;
  if (isHidden || !(search || filters || aside || columns)) return null;
  return (
    <>
      <Toolbar>
        {search && <Search label={search.label} value={search.text} onChange={search.onChange} />}
        {filters}
      </Toolbar>
      {aside && <span className={styles.aside}>{aside}</span>}
      {columns && (
        <span className={styles.columns}>
          <ColumnChoice {...columns} />
        </span>
      )}
    </>
  );
}
