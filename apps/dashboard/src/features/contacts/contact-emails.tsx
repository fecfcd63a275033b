import { LoadMore } from '../../ui/list-end.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmailTable } from '../emails/email-table.tsx';
import { useEmailList } from '../emails/use-email-list.ts';
import styles from './contact-page.module.css';

/** The emails sent to one contact, newest first. */
export function ContactEmails({ contactId }: { contactId: string }) {
  const list = useEmailList({ contactId });
  return (
    <Panel title="Emails" flush>
      {list.isPending && <Skeleton lines={4} label="Loading emails" />}
      {list.isError && list.emails.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.isSuccess && list.emails.length === 0 && <p className={styles.none}>No emails yet.</p>}
      {list.emails.length > 0 && <EmailTable emails={list.emails} />}
      {list.hasNextPage && (
        <div className={styles.end}>
          <LoadMore
            shown={list.emails.length}
            total={list.total}
            hasMore
            pending={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        </div>
      )}
    </Panel>
  );
}
