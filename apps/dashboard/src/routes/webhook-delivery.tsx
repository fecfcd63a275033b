import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { AttemptList } from '../features/settings/webhook-endpoints/attempt-list.tsx';
import { DeliveryFacts } from '../features/settings/webhook-endpoints/delivery-facts.tsx';
import { deliveryStatuses } from '../features/settings/webhook-endpoints/delivery-state.rules.ts';
import { DeliveryStatus } from '../features/settings/webhook-endpoints/delivery-status.tsx';
import { ReplayDelivery } from '../features/settings/webhook-endpoints/replay-delivery.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject, useProjectPath } from '../lib/current.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

/** One event for one endpoint, with its attempts; refreshed while it is pending. */
export function Component() {
  const { endpointId = '', deliveryId = '' } = useParams();
  const to = useProjectPath();
  const leads = isLeader(useProject());
  const delivery = useQuery(useApi().webhooks.getDelivery.queryOptions({ id: endpointId, deliveryId }));
  const back = { to: to(`webhooks/${endpointId}`), label: 'Webhook endpoint' };
  if (!delivery.data) {
    return (
      <Page title="Webhook delivery" back={back}>
        {delivery.isError ? (
          <LoadFailure error={delivery.error} retry={delivery.refetch} />
        ) : (
          <Skeleton lines={10} label="Loading the delivery" />
        )}
      </Page>
    );
  }
  const { type, status, payload, attempts } = delivery.data;
  return (
    <Page
      title={type}
      back={back}
      intro={
        <span className={styles.status}>
          <DeliveryStatus status={status} />
          {deliveryStatuses[status].meaning}
        </span>
      }
      actions={leads && <ReplayDelivery endpointId={endpointId} deliveryId={deliveryId} />}
    >
      <div className={styles.columns}>
        <CodeBlock title="Payload" code={JSON.stringify(payload, null, 2)} />
        <div className={styles.side}>
          <Panel title="Attempts">
            <AttemptList attempts={attempts} />
          </Panel>
          <Panel title="Details">
            <DeliveryFacts delivery={delivery.data} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}
