import type { Execution } from '../../../lib/api.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Cell, CellActions, Row, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { CancelExecution } from './cancel-execution.tsx';
import { ExecutionCells, executionColumns } from './execution-cells.tsx';
import { isActive } from './execution-status.tsx';

export function ExecutionTable({ executions }: { executions: Execution[] }) {
  return (
    <Table
      label="Executions"
      columns={[
        { label: 'Contact' },
        ...executionColumns,
        { label: 'Version', numeric: true, extra: true },
        { label: 'Ended', numeric: true, extra: true },
        {
          label: 'Action',
          numeric: true,
          extra: true,
          control: <span className="visually-hidden">Action</span>,
        },
      ]}
    >
      {executions.map((execution) => (
        <Row key={execution.id}>
          <ExecutionCells
            execution={execution}
            name={shownAddress(execution.contact.email) || 'Deleted contact'}
          />
          <Cell numeric faint extra>
            {execution.version}
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
