import { useQuery } from '@tanstack/react-query';
import { CreateEndpoint } from '../features/settings/webhook-endpoints/create-endpoint.tsx';
import { EndpointTable } from '../features/settings/webhook-endpoints/endpoint-table.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';

export function Component() {
  const list = useQuery(useApi().webhooks.list.queryOptions({}));
  const mayAdd = isLeader(useProject());
  const endpoints = list.data ?? [];
  return (
    <Page
      title="Webhooks"
      intro="Postrider sends the events of this project to your endpoints as signed POST requests."
      actions={mayAdd && endpoints.length > 0 && <CreateEndpoint />}
    >
      <ListFrame
        label="Webhook endpoints"
        query={list}
        shown={endpoints.length}
        empty={{
          icon: 'webhook',
          title: 'No webhook endpoints yet',
          text: (
            <p>
              {mayAdd
                ? 'Add the URL of your service to be notified of bounces, complaints, clicks and other events.'
                : 'An owner or admin of the project can add one.'}
            </p>
          ),
          action: mayAdd && <CreateEndpoint />,
        }}
      >
        <EndpointTable endpoints={endpoints} />
      </ListFrame>
    </Page>
  );
}
