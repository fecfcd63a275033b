import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { BreakdownTable } from './breakdown-table.tsx';
import styles from './breakdowns.module.css';
import { Clients } from './clients.tsx';
import type { Period } from './period.rules.ts';

const live = { placeholderData: keepPreviousData };

type By = 'template' | 'step' | 'campaign' | 'domain' | 'provider' | 'tag' | 'diagnosis';

/** The emails of a period by what they were made from, sent from and sent to. Only the shown tab is loaded. */
export const Breakdowns = ({ period }: { period: Period }) => (
  <Panel title="Breakdown" flush>
    <div className={styles.tabs}>
      <Tabs
        label="Breakdown"
        tabs={[
          { label: 'Templates', content: <By by="template" period={period} /> },
          { label: 'Campaigns', content: <By by="campaign" period={period} /> },
          { label: 'Workflow steps', content: <By by="step" period={period} /> },
          { label: 'Sender domains', content: <By by="domain" period={period} /> },
          { label: 'Mailbox providers', content: <By by="provider" period={period} /> },
          { label: 'Tags', content: <By by="tag" period={period} /> },
          { label: 'Not delivered', content: <By by="diagnosis" period={period} /> },
          { label: 'Clients', content: <ByClient period={period} /> },
        ]}
      />
    </div>
  </Panel>
);

function By({ by, period: { present, tz } }: { by: By; period: Period }) {
  const query = useQuery({
    ...useApi().analytics.breakdown.queryOptions({ by, ...present, tz, compare: true, limit: 50 }),
    ...live,
  });
  if (query.isPending) return <Skeleton lines={4} label="Loading the breakdown" />;
  if (!query.data) return <LoadFailure error={query.error} retry={query.refetch} />;
  return <BreakdownTable breakdown={query.data} />;
}

function ByClient({ period: { present, tz } }: { period: Period }) {
  const query = useQuery({ ...useApi().analytics.clients.queryOptions({ ...present, tz }), ...live });
  if (query.isPending) return <Skeleton lines={4} label="Loading the mail clients" />;
  if (!query.data) return <LoadFailure error={query.error} retry={query.refetch} />;
  return (
    <div className={styles.clients}>
      <Clients {...query.data} />
    </div>
  );
}
