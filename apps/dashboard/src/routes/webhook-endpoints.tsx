import { useQuery } from '@tanstack/react-query';
import { CreateEndpoint } from '../features/webhook-endpoints/create-endpoint.tsx';
import { EndpointTable } from '../features/webhook-endpoints/endpoint-table.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { idle } from '../lib/polling.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function WebhookEndpointsRoute() {
  const list = useQuery({ ...useApi().webhookEndpoints.list.queryOptions({}), refetchInterval: idle });
  const mayAdd = isLeader(useProject());
  const endpoints = list.data ?? [];
  return (
    <Page
      title="Webhooks"
      intro="Postrider sends the events of this project to your endpoints as signed POST requests."
      actions={mayAdd && endpoints.length > 0 && <CreateEndpoint />}
    >
      <Frame label="Webhook endpoints">
        {list.isPending && <Skeleton lines={6} label="Loading the endpoints" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
        {list.data && endpoints.length === 0 && (
          <EmptyState title="No webhook endpoints yet">
            <p>
              {mayAdd
                ? 'Add the URL of your service to be notified of bounces, complaints, clicks and other events.'
                : 'An owner or admin of the project can add one.'}
            </p>
            {mayAdd && <CreateEndpoint />}
          </EmptyState>
        )}
      </Frame>
    </Page>
  );
}
