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
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const WebhookEndpoint = objectFromZod(getEndpoint.output);
const WithSecret = objectFromZod(createEndpoint.output);
export const WebhookDelivery = objectFromZod(getWebhookDelivery.output);
const Replay = objectFromZod(getWebhookReplay.output);

recordField('webhookEndpoint', getEndpoint, WebhookEndpoint);
queryField('webhookEndpoints', listEndpoints, [WebhookEndpoint]);
mutationField('createWebhookEndpoint', createEndpoint, WithSecret);
mutationField('updateWebhookEndpoint', updateEndpoint, WebhookEndpoint);
deletionField('deleteWebhookEndpoint', deleteEndpoint);
mutationField('rotateWebhookSecret', rotateEndpointSecret, WithSecret);
mutationField('testWebhookEndpoint', testEndpoint, objectFromZod(testEndpoint.output));

connectionField('webhookDeliveries', listWebhookDeliveries, WebhookDelivery, ({ createdAt }) => createdAt);
queryField('webhookDelivery', getWebhookDelivery, WebhookDelivery);
mutationField('replayWebhookDelivery', replayWebhookDelivery, WebhookDelivery);
mutationField('replayWebhookDeliveries', replayWebhookDeliveries, Replay);
queryField('webhookReplay', getWebhookReplay, Replay);
