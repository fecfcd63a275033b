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
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountWebhookEndpoints(door: RestDoor): void {
  mount(door, 'GET', '/webhook-endpoints', listEndpoints);
  mount(door, 'POST', '/webhook-endpoints', createEndpoint, { status: 201 });
  const one = '/webhook-endpoints/:id';
  mount(door, 'GET', one, getEndpoint);
  mount(door, 'PATCH', one, updateEndpoint);
  mount(door, 'DELETE', one, deleteEndpoint, { status: 204 });
  mount(door, 'POST', `${one}/rotate-secret`, rotateEndpointSecret);
  mount(door, 'POST', `${one}/test`, testEndpoint, { status: 202 });
  mount(door, 'GET', `${one}/deliveries`, listWebhookDeliveries);
  mount(door, 'GET', `${one}/deliveries/:deliveryId`, getWebhookDelivery);
  mount(door, 'POST', `${one}/deliveries/:deliveryId/replay`, replayWebhookDelivery, { status: 202 });
  mount(door, 'POST', `${one}/replay`, replayWebhookDeliveries, { status: 202 });
  mount(door, 'GET', `${one}/replay/:jobId`, getWebhookReplay);
}
