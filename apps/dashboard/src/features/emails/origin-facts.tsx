import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type EmailDetail, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { Fact } from '../../ui/facts.tsx';
import { sourceNames } from './source.ts';

/** What an email came from: its campaign, or its workflow and the execution that sent it, and its template, each with its page. */
export function OriginFacts({ email }: { email: EmailDetail }) {
  const { id, sourceType, campaignId, workflowExecutionId, templateId } = email;
  if (workflowExecutionId !== null) return <WorkflowFacts emailId={id} templateId={templateId} />;
  return (
    <>
      <Fact name="Origin">
        {sourceNames[sourceType]}
        {campaignId && (
          <>
            {' '}
            <CampaignLink id={campaignId} />
          </>
        )}
      </Fact>
      {templateId && <TemplateFact id={templateId} />}
    </>
  );
}

/** The explanation of an email, which its page shows too, knows the workflow of its execution. */
function WorkflowFacts({ emailId, templateId }: { emailId: string; templateId: string | null }) {
  const to = useProjectPath();
  const api = useApi();
  const explanation = useQuery(api.explain.get.queryOptions({ email: emailId }));
  const { workflow: workflowId = null, execution = null } = explanation.data?.question ?? {};
  const workflow = useQuery({
    ...api.workflows.get.queryOptions({ id: workflowId ?? '' }),
    enabled: workflowId !== null,
  });
  return (
    <>
      <Fact name="Origin">
        {sourceNames.WORKFLOW}{' '}
        {workflowId !== null && (
          <Link to={to(`workflows/${workflowId}`)}>{workflow.data?.name ?? 'View workflow'}</Link>
        )}
      </Fact>
      {workflowId !== null && execution !== null && (
        <Fact name="Execution">
          <Link to={to(`workflows/${workflowId}/executions/${execution}`)}>View execution</Link>
        </Fact>
      )}
      {templateId && <TemplateFact id={templateId} />}
    </>
  );
}

function CampaignLink({ id }: { id: string }) {
  const to = useProjectPath();
  const campaign = useQuery(useApi().campaigns.get.queryOptions({ id }));
  return <Link to={to(`campaigns/${id}`)}>{campaign.data?.name ?? 'View campaign'}</Link>;
}

function TemplateFact({ id }: { id: string }) {
  const to = useProjectPath();
  const template = useQuery(useApi().templates.get.queryOptions({ id }));
  return (
    <Fact name="Template">
      <Link to={to(`templates/${id}`)}>{template.data?.name ?? 'View template'}</Link>
    </Fact>
  );
}
