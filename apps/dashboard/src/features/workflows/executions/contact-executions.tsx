import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Ago } from '../../../ui/time.tsx';
import styles from '../../audience/contacts/contact-page.module.css';
import { ExecutionStatus, whereabouts } from './execution-status.tsx';

/** The workflow executions of one contact, newest first. */
export function ContactExecutions({ contactId }: { contactId: string }) {
  const to = useProjectPath();
  const list = useQuery(useApi().workflows.listExecutionsOfContact.queryOptions({ contactId }));
  return (
    <Panel title="Workflows" flush>
      {list.isPending && <Skeleton lines={3} label="Loading workflows" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && <p className={styles.none}>Not in any workflow yet.</p>}
      {list.data && list.data.length > 0 && (
        <ul className={styles.items}>
          {list.data.map((execution) => {
            const place = whereabouts(execution);
            return (
              <li key={execution.id}>
                <Link to={to(`workflows/${execution.workflowId}/executions/${execution.id}`)}>
                  {execution.workflow.name}
                </Link>
                <ExecutionStatus status={execution.status} />
                <span className={styles.note} title={place}>
                  {place}
                </span>
                <span className={styles.when}>
                  <Ago at={execution.startedAt} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
