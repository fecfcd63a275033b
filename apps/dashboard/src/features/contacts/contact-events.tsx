import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import { Fold } from '../../ui/fold.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './contact-events.module.css';

const shownEvents = 50;

/** The events of one contact, newest first. */
export function ContactEvents({ contactId }: { contactId: string }) {
  const list = useQuery(useApi().events.ofContact.queryOptions({ contactId, limit: shownEvents }));
  const events = list.data?.events ?? [];
  return (
    <Panel title="Events" aside={events.length === shownEvents && `Latest ${shownEvents}`}>
      {list.isPending && <Skeleton lines={4} label="Loading events" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data && events.length === 0 && <p className={styles.none}>No events yet.</p>}
      {events.length > 0 && (
        <ol className={styles.events}>
          {events.map(({ id, name, data, createdAt }) => (
            <li key={id}>
              <span className={styles.head}>
                <strong>{name}</strong>
                <Ago at={createdAt} />
              </span>
              {data && Object.keys(data).length > 0 && (
                <Fold
                  className={styles.data}
                  summary={plural(Object.keys(data).length, 'field')}
                  label={`${plural(Object.keys(data).length, 'field')} of ${name}`}
                >
                  <pre>{JSON.stringify(data, null, 2)}</pre>
                </Fold>
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
