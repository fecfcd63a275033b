import type { WebhookDelivery } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';
import { deliveryStatuses } from './delivery-state.rules.ts';

export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>) {
  const { tone, label, meaning } = deliveryStatuses[status];
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}
