import { webhookTypes } from '@postrider/core/base/event-types/contract';
import { everyType, testType } from '@postrider/core/insight/webhook-endpoints/contract';
import type { WebhookEndpoint } from '../../../lib/api.ts';
import { useNamedTypes } from './use-named-types.ts';

/** The types that deliveries of an endpoint can have. */
export function useDeliveryTypes({ types }: Pick<WebhookEndpoint, 'types'>): string[] {
  const named = useNamedTypes();
  const ofEndpoint = types.filter((type) => type !== everyType);
  return [...new Set([...webhookTypes, testType, ...ofEndpoint, ...named])];
}
