import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import styles from './filter-builder.module.css';
import { isComplete, type TreeDraft, toTree } from './filter-tree.rules.ts';

const pauseMs = 500;
const sampleSize = 5;
/** Counting all of a million contacts takes too long while a filter is edited. */
const countTo = 10_000;

/** The number of contacts that match now, and the newest of them. */
export function LiveCount({ tree }: { tree: TreeDraft }) {
  const to = useProjectPath();
  const settled = useDebounced(tree, pauseMs);
  const complete = isComplete(settled);
  const list = useQuery({
    ...useApi().contacts.list.queryOptions({
      limit: sampleSize,
      filter: JSON.stringify(toTree(settled)),
      countTo,
    }),
    enabled: complete,
    placeholderData: keepPreviousData,
  });
  const found = complete && !list.isError ? list.data : undefined;
  return (
    <div className={styles.matches}>
      <p className={styles.count} role="status" aria-busy={list.isFetching || settled !== tree}>
        {!complete && 'Complete all conditions to see how many contacts match.'}
        {complete && list.isError && failureOf(list.error).message}
        {found && (
          <>
            {found.total > countTo && 'More than '}
            <strong>{plural(Math.min(found.total, countTo), 'contact')}</strong>{' '}
            {found.total === 1 ? 'matches' : 'match'}.
          </>
        )}
      </p>
      {found && found.data.length > 0 && (
        <ul className={styles.sample} aria-label="Newest matching contacts">
          {found.data.map(({ id, email }) => (
            <li key={id}>
              <Link to={to(`contacts/${id}`)}>{shownAddress(email)}</Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
