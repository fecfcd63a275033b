import { Link } from 'react-router';
import { authorInWords } from '../../../lib/author-in-words.rules.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Chip } from '../../../ui/chip.tsx';
import { LoadMore } from '../../../ui/list-end.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Ago } from '../../../ui/time.tsx';
import styles from './history-panel.module.css';
import { useVersions } from './use-versions.ts';

/** The versions of a template with author and time, each with a link to its page. */
export function HistoryPanel({ templateId }: { templateId: string }) {
  const to = useProjectPath();
  const { list, versions, total, newest } = useVersions(templateId);
  return (
    <Panel title="History" flush>
      {list.isPending && <Skeleton lines={3} label="Loading the history" />}
      {list.isError && versions.length === 0 && (
        <div className={styles.failure}>
          <LoadFailure error={list.error} retry={list.refetch} />
        </div>
      )}
      <ol className={styles.list}>
        {versions.map((version) => (
          <li key={version.id} className={styles.version}>
            <span className={styles.head}>
              <Link className={styles.link} to={to(`templates/${templateId}/versions/${version.version}`)}>
                Version {version.version}
              </Link>
              {version.version === newest && <Chip tone="calm">Current</Chip>}
            </span>
            <span className={styles.facts}>
              <Ago at={version.createdAt} /> · {authorInWords(version)}
            </span>
          </li>
        ))}
      </ol>
      {total > versions.length && (
        <div className={styles.end}>
          <LoadMore
            shown={versions.length}
            total={total}
            hasMore={list.hasNextPage}
            pending={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        </div>
      )}
    </Panel>
  );
}
