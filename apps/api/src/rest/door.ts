import type { Services } from '@postrider/core/kernel';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from './endpoint.ts';

/** What REST routes are mounted on. `endpoints` is what the OpenAPI document is made from. */
export interface RestDoor {
  app: FastifyInstance;
  services: Services;
  endpoints: Endpoint[];
}
