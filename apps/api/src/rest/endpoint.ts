import type { z } from 'zod';
import type { Credential } from '../access/gate.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint as the OpenAPI document tells it. */
export interface Endpoint {
  method: Method;
  /** Fastify's form, parameters as `:id` */
  path: string;
  /** unique name, such as `contacts.upsert` */
  name: string;
  summary: string;
  credential: Credential;
  input?: z.ZodType;
  output?: z.ZodType;
  statuses: readonly number[];
  envelope: 'none' | 'plain' | 'with-message';
  flat: boolean;
  idempotent: boolean;
  /** media type of the answer */
  produces: string;
}
