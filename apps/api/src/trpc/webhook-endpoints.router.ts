import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  getWebhookDelivery,
  getWebhookReplay,
  listEndpoints,
  listWebhookDeliveries,
  replayWebhookDeliveries,
  replayWebhookDelivery,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from '@postrider/core/insight/webhook-endpoints';
import { asMutation, asQuery, t } from './trpc.ts';

export const webhooksRouter = t.router({
  list: asQuery(listEndpoints),
  get: asQuery(getEndpoint),
  create: asMutation(createEndpoint),
  update: asMutation(updateEndpoint),
  delete: asMutation(deleteEndpoint),
  rotateSecret: asMutation(rotateEndpointSecret),
  test: asMutation(testEndpoint),
  deliveries: asQuery(listWebhookDeliveries),
  getDelivery: asQuery(getWebhookDelivery),
  replayDelivery: asMutation(replayWebhookDelivery),
  replay: asMutation(replayWebhookDeliveries),
  getReplay: asQuery(getWebhookReplay),
});
