import { useQuery } from '@tanstack/react-query';
import { type Domain, useApi } from '../../../lib/api.ts';
import { useConfiguration } from '../../../lib/use-configuration.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Ago } from '../../../ui/time.tsx';
import styles from './notes-panel.module.css';

/** As many as are kept. */
const shown = 50;

/** Where mailbox providers send complaints to, and what people wrote to the addresses that every domain has. */
export function NotesPanel({ domain }: { domain: Domain }) {
  const address = useConfiguration().data?.features.email.feedbackAddress ?? null;
  const notes = useQuery(useApi().domains.listNotes.queryOptions({ id: domain.id, limit: shown }));
  if (address === null) return null;
  return (
    <Panel title="Complaints and letters">
      <p>
        Register <code>{address}</code> with the feedback loops of mailbox providers: the complaints that they
        send there are matched with your email. Letters to <code>postmaster</code> and <code>abuse</code> at{' '}
        <code>bounces.{domain.domain}</code> are kept here for 30 days. Nothing is forwarded or answered.
      </p>
      {notes.isPending && <Skeleton lines={3} label="Loading the letters" />}
      {notes.isError && !notes.data && <LoadFailure error={notes.error} retry={notes.refetch} />}
      {notes.data && notes.data.data.length > 0 && (
        <ul className={styles.notes} aria-label="Letters">
          {notes.data.data.map(({ id, at, to, from, subject, text }) => (
            <li key={id}>
              <details>
                <summary>
                  <b>{subject ?? 'No subject'}</b> {from ?? 'unknown sender'} to {to}, <Ago at={at} />
                </summary>
                <pre className={styles.text}>{text}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
