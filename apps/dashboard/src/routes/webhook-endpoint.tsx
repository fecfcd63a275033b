import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useDeleteEndpoint } from '../features/settings/webhook-endpoints/delete-endpoint.tsx';
import { DeliveryList } from '../features/settings/webhook-endpoints/delivery-list.tsx';
import { EditEndpoint } from '../features/settings/webhook-endpoints/edit-endpoint.tsx';
import { useEnableEndpoint } from '../features/settings/webhook-endpoints/enable-endpoint.tsx';
import { formatLabels } from '../features/settings/webhook-endpoints/endpoint-formats.rules.ts';
import { endpointState } from '../features/settings/webhook-endpoints/endpoint-state.rules.ts';
import { EndpointState } from '../features/settings/webhook-endpoints/endpoint-state.tsx';
import { EndpointTypes } from '../features/settings/webhook-endpoints/endpoint-types.tsx';
import { useReplayRange } from '../features/settings/webhook-endpoints/replay-range.tsx';
import { useRotateSecret } from '../features/settings/webhook-endpoints/rotate-secret.tsx';
import { PublicKey } from '../features/settings/webhook-endpoints/secret-dialog.tsx';
import { TestEndpoint } from '../features/settings/webhook-endpoints/test-endpoint.tsx';
import { useApi, type WebhookEndpoint } from '../lib/api.ts';
import { isLeader, useProject, useProjectPath } from '../lib/current.ts';
import { ActionButton, ActionMenu } from '../ui/menu.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

/** One endpoint and its deliveries. */
export function Component() {
  const { endpointId = '' } = useParams();
  const to = useProjectPath();
  const endpoint = useQuery(useApi().webhooks.get.queryOptions({ id: endpointId }));
  const leads = isLeader(useProject());
  const back = { to: to('webhooks'), label: 'Webhooks' };
  if (!endpoint.data) {
    return (
      <Page title="Webhook endpoint" back={back}>
        {endpoint.isError ? (
          <LoadFailure error={endpoint.error} retry={endpoint.refetch} />
        ) : (
          <Skeleton lines={10} label="Loading the endpoint" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={endpoint.data.url}
      back={back}
      intro={
        <>
          {endpoint.data.description && <p>{endpoint.data.description}</p>}
          <span className={styles.status}>
            <EndpointState endpoint={endpoint.data} />
            {endpointState(endpoint.data).meaning}
          </span>
          {endpoint.data.format !== 'POSTRIDER' && (
            <p>In the format of {formatLabels[endpoint.data.format]}.</p>
          )}
          {endpoint.data.publicKey !== null && <PublicKey value={endpoint.data.publicKey} />}
          <EndpointTypes types={endpoint.data.types} />
        </>
      }
      actions={leads && <EndpointActions endpoint={endpoint.data} />}
    >
      <DeliveryList key={endpointId} endpoint={endpoint.data} />
    </Page>
  );
}

function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, enabled } = endpoint;
  const replay = useReplayRange(endpoint);
  const rotate = useRotateSecret(endpoint);
  const enable = useEnableEndpoint(endpoint);
  const remove = useDeleteEndpoint(id);
  return (
    <>
      <ActionMenu actions={[enabled && replay, rotate, enabled && enable, remove]} />
      <EditEndpoint endpoint={endpoint} />
      {enabled ? <TestEndpoint endpointId={id} /> : <ActionButton action={enable} primary />}
    </>
  );
}
