import type { Execution } from '../../../lib/api.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Cell, CellActions, Check, Row, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { CancelExecution } from './cancel-execution.tsx';
import { ExecutionCells, executionColumns } from './execution-cells.tsx';
import { isActive } from './execution-status.tsx';

interface ExecutionTableProps {
  executions: Execution[];
  /** ids */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}

export function ExecutionTable({ executions, selected, onSelect }: ExecutionTableProps) {
  const choose = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    onSelect(next);
  };
  const ids = executions.map(({ id }) => id);
  return (
    <Table
      label="Executions"
      columns={[
        {
          label: 'Selected',
          control: (
            <Check
              label="Select all shown"
              checked={ids.every((id) => selected.has(id))}
              onChange={(isChosen) => choose(ids, isChosen)}
            />
          ),
        },
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
          <Cell>
            <Check
              label={`Select the execution of ${shownAddress(execution.contact.email) || 'a deleted contact'}`}
              checked={selected.has(execution.id)}
              onChange={(isChosen) => choose([execution.id], isChosen)}
            />
          </Cell>
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
