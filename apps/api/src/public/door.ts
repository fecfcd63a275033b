import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

export interface PublicEndpoint {
  /** unique; the operation's name on its main endpoint */
  name: string;
  summary: string;
  statuses?: readonly number[];
  /** media type of the response. Default: a page */
  produces?: string;
  /** parameters of its path. Default: the token of a link */
  input?: z.ZodType;
}

/** The door that public routes are mounted on. `tell` lists an endpoint in the OpenAPI document. */
export interface PublicDoor {
  scope: FastifyInstance;
  services: Services;
  tell(method: 'GET' | 'POST', path: string, endpoint: PublicEndpoint): void;
}
