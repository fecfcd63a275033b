import type { Services } from '@postrider/core/base/kernel';
import { fastify } from 'fastify';
import { openPublicDoor } from '../public/public.routes.ts';
import type { Endpoint } from '../rest/endpoint.ts';
import { openRestDoor } from '../rest/rest.routes.ts';

/** Every REST path, as it is mounted; those of forms are mounted when the app is ready. */
export async function endpointsOf(services: Services): Promise<readonly Endpoint[]> {
  const app = fastify();
  const door = openRestDoor(app, services);
  openPublicDoor(app, door);
  await app.ready();
  await app.close();
  return door.endpoints;
}
