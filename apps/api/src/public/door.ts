import type { Services } from '@postrider/core/kernel';
import type { FastifyInstance } from 'fastify';

export interface PublicEndpoint {
  /** unique; that of the operation on the endpoint that shows it best */
  name: string;
  summary: string;
  statuses?: readonly number[];
  /** media type of the answer; a page where nothing is said */
  produces?: string;
}

/** What the public routes are mounted on. `tell` lists an endpoint in the API's description. */
export interface PublicDoor {
  scope: FastifyInstance;
  services: Services;
  tell(method: 'GET' | 'POST', path: string, endpoint: PublicEndpoint): void;
}
