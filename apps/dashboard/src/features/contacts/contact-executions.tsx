import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { ExecutionStatus, whereabouts } from '../executions/execution-status.tsx';
import styles from './contact-page.module.css';

/** The workflow executions of one contact, newest first. */
export function ContactExecutions({ contactId }: { contactId: string }) {
  const to = useProjectPath();
  const list = useQuery(useApi().workflows.executionsOfContact.queryOptions({ contactId }));
  return (
    <Panel title="Workflows" flush>
      {list.isPending && <Skeleton lines={3} label="Loading workflows" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && <p className={styles.none}>Not in any workflow yet.</p>}
      {list.data && list.data.length > 0 && (
        <Table
          label="Workflows"
          columns={[
            { label: 'Workflow' },
            { label: 'Status' },
            { label: 'Current step or end reason', extra: true },
            { label: 'Entered', numeric: true },
          ]}
        >
          {list.data.map((execution) => (
            <Row key={execution.id}>
              <Cell clip>
                <Link
                  to={to(`workflows/${execution.workflowId}/executions/${execution.id}`)}
                  className={rowLinkClass ?? ''}
                >
                  {execution.workflow.name}
                </Link>
                <SecondLine>{whereabouts(execution)}</SecondLine>
              </Cell>
              <Cell>
                <ExecutionStatus status={execution.status} />
              </Cell>
              <Cell clip extra>
                {whereabouts(execution)}
              </Cell>
              <Cell numeric faint>
                <Ago at={execution.startedAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
