import type { z } from 'zod';
import type { Context } from '../../base/kernel/index.ts';
import { openStream, topics } from '../../base/live/index.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listWebhookDeliveries } from './list-deliveries.ts';
import type { webhookDelivery } from './webhook-endpoints.schema.ts';

type Delivery = z.output<typeof webhookDelivery>;

/** Changes of older deliveries are not shown. */
const newest = 100;

/**
 * The deliveries of an endpoint: each new one, and each whose state or attempts changed, beginning with the call. Changes that follow one
 * another quickly are merged.
 *
 * @throws AppError as `listWebhookDeliveries` and `openStream` do
 */
export async function watchDeliveries(
  ctx: Context,
  endpointId: string,
): Promise<AsyncIterableIterator<Delivery>> {
  // Before watching: the trigger reads the endpoint's id from the topic, so that a malformed one would make writes of deliveries fail.
  await getEndpoint.runRaw(ctx, { id: endpointId });
  const read = async () => (await listWebhookDeliveries.runRaw(ctx, { id: endpointId, limit: newest })).data;
  let shown = textsOf(await read());
  return openStream(ctx, [topics.deliveries(endpointId)], async function* looks(watch) {
    // The first look finds what changed between the call and the beginning of the watch.
    do {
      const recent = await read();
      const before = shown;
      shown = textsOf(recent);
      yield recent.filter(({ id }) => before.get(id) !== shown.get(id)).reverse();
    } while (await watch.next());
  });
}

const textsOf = (deliveries: readonly Delivery[]): Map<string, string> =>
  new Map(deliveries.map((delivery) => [delivery.id, JSON.stringify(delivery)]));
