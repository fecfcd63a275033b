import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { DeleteDomain } from '../features/settings/domains/delete-domain.tsx';
import { DomainStatus, domainMeaning } from '../features/settings/domains/domain-status.tsx';
import { HealthPanel } from '../features/settings/domains/health-panel.tsx';
import { NotesPanel } from '../features/settings/domains/notes-panel.tsx';
import { RecordsPanel } from '../features/settings/domains/records-panel.tsx';
import { ReportsNotice } from '../features/settings/domains/reports-notice.tsx';
import { VerifyDomain } from '../features/settings/domains/verify-domain.tsx';
import { type Domain, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

/** DNS answers change slowly, and each check asks many name servers. */
const freshForMs = 60_000;

export function Component() {
  const { domainId = '' } = useParams();
  const to = useProjectPath();
  const domains = useQuery(useApi().domains.list.queryOptions());
  const domain = domains.data?.find(({ id }) => id === domainId);
  if (domain) return <DomainPage domain={domain} />;
  return (
    <Page title="Domain" back={{ to: to('domains'), label: 'Domains' }}>
      {domains.isPending && <Skeleton lines={8} label="Loading the domain" />}
      {domains.isError && <LoadFailure error={domains.error} retry={domains.refetch} />}
      {domains.isSuccess && <EmptyState title="Domain not found" />}
    </Page>
  );
}

function DomainPage({ domain }: { domain: Domain }) {
  const to = useProjectPath();
  const health = useQuery({
    ...useApi().domains.health.queryOptions({ id: domain.id }),
    staleTime: freshForMs,
  });
  return (
    <Page
      title={domain.domain}
      back={{ to: to('domains'), label: 'Domains' }}
      actions={
        <>
          <DeleteDomain domain={domain} />
          <VerifyDomain domain={domain} />
        </>
      }
      intro={
        <span className={styles.status}>
          <DomainStatus status={domain.status} />
          {domainMeaning(domain)}
        </span>
      }
    >
      <ReportsNotice />
      {!domain.verified && <RecordsPanel domain={domain} zone={health.data?.zone ?? null} />}
      <HealthPanel health={health} />
      {domain.verified && <RecordsPanel domain={domain} zone={health.data?.zone ?? null} />}
      <NotesPanel domain={domain} />
    </Page>
  );
}
