import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Row, Table } from '../../../ui/table.tsx';
import styles from '../../audience/contacts/contact-page.module.css';
import { ExecutionCells, executionColumns } from './execution-cells.tsx';

/** The workflow executions of one contact, newest first. */
export function ContactExecutions({ contactId }: { contactId: string }) {
  const list = useQuery(useApi().workflows.listExecutionsOfContact.queryOptions({ contactId }));
  return (
    <Panel title="Workflows" flush>
      {list.isPending && <Skeleton lines={3} label="Loading workflows" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && <p className={styles.none}>Not in any workflow yet.</p>}
      {list.data && list.data.length > 0 && (
        <Table label="Workflows" columns={[{ label: 'Workflow' }, ...executionColumns]}>
          {list.data.map((execution) => (
            <Row key={execution.id}>
              <ExecutionCells execution={execution} name={execution.workflow.name} />
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
