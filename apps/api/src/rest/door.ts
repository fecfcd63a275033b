import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from './endpoint.ts';

/** The door that REST routes are mounted on. The OpenAPI document is made from `endpoints`. */
export interface RestDoor {
  app: FastifyInstance;
  services: Services;
  endpoints: Endpoint[];
}
