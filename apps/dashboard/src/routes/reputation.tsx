import { useQuery } from '@tanstack/react-query';
import { ReturnedMail } from '../features/insight/analytics/returned-mail.tsx';
import { Levels } from '../features/settings/reputation/levels.tsx';
import { Suspensions, suspensionReasons } from '../features/settings/reputation/suspensions.tsx';
import { type Security, useApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { id } = useProject();
  const security = useQuery(useApi().reputation.security.queryOptions({ id }));
  return (
    <Page
      title="Reputation"
      intro="Mailbox providers judge senders by bounces and complaints. At a critical level, sending stops."
    >
      {security.isPending && <Skeleton lines={8} label="Loading the reputation" />}
      {security.isError && !security.data && <LoadFailure error={security.error} retry={security.refetch} />}
      {security.data && <ReputationBody security={security.data} />}
    </Page>
  );
}

function ReputationBody({ security }: { security: Security }) {
  const { isDisabled, disabledReason, status, recentSuspensions } = security;
  return (
    <>
      {isDisabled && (
        <Notice tone="bad" title="The project is disabled">
          <p>
            {disabledReason ? `${suspensionReasons[disabledReason]}. ` : ''}Nothing is sent until it is
            enabled again.
          </p>
        </Notice>
      )}
      {status.violations.map((text) => (
        <Notice key={text} tone="bad" title={text} />
      ))}
      {status.warnings.map((text) => (
        <Notice key={text} tone="warn" title={text} />
      ))}
      {!isDisabled && status.isHealthy && <Notice tone="good" title="All rates are within their limits" />}
      <Panel title="Levels" flush>
        <Levels security={security} />
      </Panel>
      <ReturnedMail />
      {recentSuspensions.length === 0 ? (
        <Panel title="History">
          <p>This project was never disabled.</p>
        </Panel>
      ) : (
        <Panel title="History" flush>
          <Suspensions suspensions={recentSuspensions} />
        </Panel>
      )}
    </>
  );
}
