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
} from '@postrider/core/webhook-endpoints';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const WebhookEndpoint = objectFromZod(getEndpoint.output);
const WithSecret = objectFromZod(createEndpoint.output);
const Delivery = objectFromZod(getWebhookDelivery.output);
const Replay = objectFromZod(getWebhookReplay.output);

recordField('webhookEndpoint', getEndpoint, WebhookEndpoint);
queryField('webhookEndpoints', listEndpoints, [WebhookEndpoint]);
mutationField('createWebhookEndpoint', createEndpoint, WithSecret);
mutationField('updateWebhookEndpoint', updateEndpoint, WebhookEndpoint);
deletionField('deleteWebhookEndpoint', deleteEndpoint);
mutationField('rotateWebhookSecret', rotateEndpointSecret, WithSecret);
mutationField('testWebhookEndpoint', testEndpoint, objectFromZod(testEndpoint.output));

connectionField('webhookDeliveries', listWebhookDeliveries, Delivery, ({ createdAt }) => createdAt);
queryField('webhookDelivery', getWebhookDelivery, Delivery);
mutationField('replayWebhookDelivery', replayWebhookDelivery, Delivery);
mutationField('replayWebhookDeliveries', replayWebhookDeliveries, Replay);
queryField('webhookReplay', getWebhookReplay, Replay);
