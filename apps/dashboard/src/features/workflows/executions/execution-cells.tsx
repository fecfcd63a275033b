import { Link } from 'react-router';
import type { Execution } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Cell, rowLinkClass, SecondLine } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { ExecutionStatus, whereabouts } from './execution-status.tsx';

interface ExecutionCellsProps {
  execution: Parameters<typeof whereabouts>[0] & Pick<Execution, 'id' | 'workflowId' | 'startedAt'>;
  /** the text of the link to the execution */
  name: string;
}

/** The columns of `ExecutionCells`, after that of the link. */
export const executionColumns = [
  { label: 'Status' },
  { label: 'Current step or end reason', extra: true },
  { label: 'Entered', numeric: true },
];

/** The first cells of an execution's row, in every list of executions. */
export function ExecutionCells({ execution, name }: ExecutionCellsProps) {
  const to = useProjectPath();
  const place = whereabouts(execution);
  return (
    <>
      <Cell clip>
        <Link
          to={to(`workflows/${execution.workflowId}/executions/${execution.id}`)}
          className={rowLinkClass ?? ''}
        >
          {name}
        </Link>
        <SecondLine>{place}</SecondLine>
      </Cell>
      <Cell>
        <ExecutionStatus status={execution.status} />
      </Cell>
      <Cell clip extra>
        <span title={place}>{place || '–'}</span>
      </Cell>
      <Cell numeric faint>
        <Ago at={execution.startedAt} />
      </Cell>
    </>
  );
}
