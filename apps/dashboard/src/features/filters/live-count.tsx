import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import styles from './filter-builder.module.css';
import { isComplete, type TreeDraft, toTree } from './filter-tree.rules.ts';

const pauseMs = 500;

/** The number of contacts that match now. */
export function LiveCount({ tree }: { tree: TreeDraft }) {
  const settled = useDebounced(tree, pauseMs);
  const complete = isComplete(settled);
  const count = useQuery({
    ...useApi().segments.count.queryOptions({ condition: toTree(settled) }),
    enabled: complete,
    placeholderData: keepPreviousData,
  });
  return (
    <p className={styles.count} role="status" aria-busy={count.isFetching || settled !== tree}>
      {!complete && 'Complete all filters to see how many contacts match.'}
      {complete && count.isError && failureOf(count.error).message}
      {complete && !count.isError && count.data && (
        <>
          <strong>{plural(count.data.count, 'contact')}</strong>{' '}
          {count.data.count === 1 ? 'matches' : 'match'}.
        </>
      )}
    </p>
  );
}
