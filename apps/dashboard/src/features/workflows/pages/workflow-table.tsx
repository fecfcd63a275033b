import { Link } from 'react-router';
import type { WorkflowItem } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Cell, Row, rowLinkClass, SecondLine, type Sorting, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { triggerLine } from '../steps/triggers/trigger-views.ts';
import { FailedCount } from './failed-count.tsx';
import { WorkflowState } from './workflow-state.tsx';

export function WorkflowTable({ workflows, sorting }: { workflows: WorkflowItem[]; sorting?: Sorting }) {
  const to = useProjectPath();
  return (
    <Table
      label="Workflows"
      {...(sorting && { sorting })}
      columns={[
        { label: 'Name', sort: 'name' },
        { label: 'Status' },
        { label: 'Trigger', extra: true },
        { label: 'Steps', sort: 'steps', first: 'desc', numeric: true, extra: true },
        { label: 'Executions', numeric: true, extra: true },
        { label: 'Active', numeric: true, extra: true },
        { label: 'Failed (24 h)', sort: 'failed24h', first: 'desc', numeric: true },
        { label: 'Updated', sort: 'updatedAt', first: 'desc', numeric: true, extra: true },
      ]}
    >
      {workflows.map((workflow) => (
        <Row key={workflow.id}>
          <Cell clip>
            <Link to={to(`workflows/${workflow.id}`)} className={rowLinkClass ?? ''}>
              {workflow.name}
            </Link>
            <SecondLine>{triggerLine(workflow)}</SecondLine>
          </Cell>
          <Cell>
            <WorkflowState {...workflow} />
          </Cell>
          <Cell extra faint clip>
            {triggerLine(workflow)}
          </Cell>
          <Cell numeric extra>
            {formatCount(workflow._count.steps)}
          </Cell>
          <Cell numeric extra>
            {formatCount(workflow._count.executions)}
          </Cell>
          <Cell numeric extra>
            {formatCount(workflow._count.active)}
          </Cell>
          <Cell numeric>
            <FailedCount workflow={workflow} />
          </Cell>
          <Cell numeric faint extra>
            <Ago at={workflow.updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
