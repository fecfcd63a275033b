import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type ExecutionDetail, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Panel } from '../../../ui/panel.tsx';
import { ExplainPanel } from '../../common/explain/explain-panel.tsx';

/** Why an execution is where it is. Of several of a contact, the newest is the one that is explained. */
export function ExplainExecution({
  execution: { id, workflowId, contactId },
}: {
  execution: ExecutionDetail;
}) {
  const to = useProjectPath();
  const question = { contact: contactId, workflow: workflowId };
  const newest = useQuery(useApi().explain.get.queryOptions(question)).data?.question.execution ?? id;
  if (newest === id) return <ExplainPanel question={question} />;
  return (
    <Panel title="Explanation">
      <p>
        The contact was in the workflow again since. The{' '}
        <Link to={to(`workflows/${workflowId}/executions/${newest}`)}>newest execution</Link> is explained.
      </p>
    </Panel>
  );
}
