import { Link } from 'react-router';
import type { ExecutionDetail } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { elapsedInWords } from '../../../lib/elapsed.rules.ts';
import { plural } from '../../../lib/format.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { CopyChip } from '../../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';

interface ExecutionFactsProps {
  execution: ExecutionDetail;
  /** by which it goes on, or went last; null if not known */
  version: number | null;
}

export function ExecutionFacts({ execution, version }: ExecutionFactsProps) {
  const to = useProjectPath();
  const { contact, workflow, startedAt, completedAt, sourceEventId, retries, id } = execution;
  return (
    <Facts>
      <Fact name="Contact">
        {contact.email === '' ? (
          'Deleted contact'
        ) : (
          <Link to={to(`contacts/${contact.id}`)}>{shownAddress(contact.email)}</Link>
        )}
      </Fact>
      <Fact name="Workflow">
        <Link to={to(`workflows/${workflow.id}`)}>{workflow.name}</Link>
      </Fact>
      {execution.version !== null && (
        <Fact name="Entered with">
          <Link to={to(`workflows/${workflow.id}/versions/${execution.version}`)}>
            Version {execution.version}
          </Link>
        </Fact>
      )}
      {version !== null && version !== execution.version && (
        <Fact name="Moved to">
          <Link to={to(`workflows/${workflow.id}/versions/${version}`)}>Version {version}</Link>
        </Fact>
      )}
      <Fact name="Triggered by">{sourceEventId ? 'Event' : 'Manual start or schedule'}</Fact>
      <Fact name="Entered">
        <Moment at={startedAt} />
      </Fact>
      {completedAt && (
        <Fact name="Ended">
          <Moment at={completedAt} />, after {elapsedInWords(startedAt, completedAt)}
        </Fact>
      )}
      {retries > 0 && <Fact name="Retried">{plural(retries, 'time')}</Fact>}
      <Fact name="Execution ID">
        <CopyChip text={id} label="execution ID" />
      </Fact>
    </Facts>
  );
}
