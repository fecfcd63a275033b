import { Link } from 'react-router';
import type { Execution } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { Cell, CellActions, Row, rowLinkClass, SecondLine, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { CancelExecution } from './cancel-execution.tsx';
import { ExecutionStatus, isActive, whereabouts } from './execution-status.tsx';

export function ExecutionTable({ executions }: { executions: Execution[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Executions"
      columns={[
        { label: 'Contact' },
        { label: 'Status' },
        { label: 'Current step or end reason', extra: true },
        { label: 'Entered', numeric: true },
        { label: 'Ended', numeric: true, extra: true },
        { label: 'Action', numeric: true, extra: true },
      ]}
    >
      {executions.map((execution) => (
        <Row key={execution.id}>
          <Cell clip>
            <Link
              to={to(`workflows/${execution.workflowId}/executions/${execution.id}`)}
              className={rowLinkClass ?? ''}
            >
              {execution.contact.email || 'Deleted contact'}
            </Link>
            <SecondLine>{whereabouts(execution)}</SecondLine>
          </Cell>
          <Cell>
            <ExecutionStatus status={execution.status} />
          </Cell>
          <Cell clip extra>
            <span title={whereabouts(execution)}>{whereabouts(execution)}</span>
          </Cell>
          <Cell numeric faint>
            <Ago at={execution.startedAt} />
          </Cell>
          <Cell numeric faint extra>
            {execution.completedAt && <Ago at={execution.completedAt} />}
          </Cell>
          <Cell numeric extra>
            {isActive(execution) && (
              <CellActions>
                <CancelExecution execution={execution} small />
              </CellActions>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
