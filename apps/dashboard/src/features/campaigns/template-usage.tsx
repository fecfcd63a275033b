import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatCount } from '../../lib/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { campaignStatusNames } from './campaign-status.tsx';
import styles from './template-usage.module.css';

/** What uses a template. */
export function TemplateUsage({ templateId }: { templateId: string }) {
  const to = useProjectPath();
  const usage = useQuery(useApi().templates.usage.queryOptions({ id: templateId }));
  return (
    <Panel title="Used in">
      {usage.isPending && <Skeleton lines={3} label="Loading where the template is used" />}
      {usage.isError && <LoadFailure error={usage.error} retry={usage.refetch} />}
      {usage.data && (
        <Facts>
          <Fact name="Emails sent">{formatCount(usage.data.emailsSent)}</Fact>
          <Fact name="Campaigns">
            {usage.data.campaigns.length === 0 && 'None'}
            <ul className={styles.list}>
              {usage.data.campaigns.map(({ id, name, status }) => (
                <li key={id}>
                  <Link to={to(`campaigns/${id}`)}>{name}</Link>{' '}
                  <span className={styles.state}>· {campaignStatusNames[status].toLowerCase()}</span>
                </li>
              ))}
            </ul>
          </Fact>
          <Fact name="Workflows">
            {usage.data.workflowSteps.length === 0 && 'None'}
            <ul className={styles.list}>
              {usage.data.workflowSteps.map(({ stepId, stepName, workflowId, workflowName }) => (
                <li key={stepId}>
                  <Link to={to(`workflows/${workflowId}`)}>{workflowName}</Link>{' '}
                  <span className={styles.state}>· {stepName}</span>
                </li>
              ))}
            </ul>
          </Fact>
        </Facts>
      )}
    </Panel>
  );
}
