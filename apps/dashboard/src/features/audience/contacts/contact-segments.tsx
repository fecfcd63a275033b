import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from './contact-segments.module.css';

const shown = 100;

/** The segments that a contact belongs to at this moment. */
export function ContactSegments({ contactId }: { contactId: string }) {
  const to = useProjectPath();
  const list = useQuery(useApi().segments.ofEach.queryOptions({ ids: [contactId], first: shown }));
  const segments = list.data?.[0]?.segments ?? [];
  return (
    <Panel title="Segments">
      {list.isPending && <Skeleton lines={2} label="Loading segments" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data && segments.length === 0 && <p className={styles.none}>Not in any segment.</p>}
      {segments.length > 0 && (
        <ul className={styles.segments}>
          {segments.map(({ id, name }) => (
            <li key={id}>
              <Link to={to(`segments/${id}`)}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
