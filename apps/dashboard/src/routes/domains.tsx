import { useQuery } from '@tanstack/react-query';
import { AddDomainForm } from '../features/settings/domains/add-domain-form.tsx';
import { DomainTable } from '../features/settings/domains/domain-table.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame, Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const domains = useQuery(useApi().domains.list.queryOptions());
  const mayAdd = isLeader(useProject());
  return (
    <Page
      title="Domains"
      intro="To send to everyone, send from a verified domain. Add each subdomain separately. One DNS record proves that you own the domain and lets us sign your emails."
    >
      {domains.isPending && <Skeleton lines={6} />}
      {domains.isError && !domains.data && <LoadFailure error={domains.error} retry={domains.refetch} />}
      {domains.data && domains.data.length > 0 && (
        <Frame label="Domains">
          <DomainTable domains={domains.data} />
        </Frame>
      )}
      {domains.data && mayAdd && (
        <Panel title={domains.data.length === 0 ? 'Add your first domain' : 'Add a domain'}>
          <AddDomainForm />
        </Panel>
      )}
      {domains.data?.length === 0 && !mayAdd && (
        <p>No domains yet. An owner or admin of the project can add one.</p>
      )}
    </Page>
  );
}
