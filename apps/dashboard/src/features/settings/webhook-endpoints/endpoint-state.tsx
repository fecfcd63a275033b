import type { WebhookEndpoint } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';
import { endpointState } from './endpoint-state.rules.ts';

export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { tone, label, meaning } = endpointState(endpoint);
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}
