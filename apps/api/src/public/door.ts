import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';

export interface PublicEndpoint {
  /** unique; the operation's name on its main endpoint */
  name: string;
  summary: string;
  statuses?: readonly number[];
  /** media type of the response. Default: a page */
  produces?: string;
}

/** The door that public routes are mounted on. `tell` lists an endpoint in the OpenAPI document. */
export interface PublicDoor {
  scope: FastifyInstance;
  services: Services;
  tell(method: 'GET' | 'POST', path: string, endpoint: PublicEndpoint): void;
}
