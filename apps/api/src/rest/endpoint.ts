import type { DeclaredError, Risk } from '@postrider/core/base/kernel';
import type { z } from 'zod';
import type { Credential } from '../access/gate.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where an endpoint's input is, besides the path. */
export type Source = 'query' | 'body';

/** One endpoint as the OpenAPI document lists it. */
export interface Endpoint {
  method: Method;
  /** Fastify's syntax, parameters as `:id` */
  path: string;
  /** unique name, such as `contacts.upsert` */
  name: string;
  /** name of the operation that it runs, which several paths may share; absent where there is none */
  operation?: string;
  summary: string;
  credential: Credential;
  input?: z.ZodType;
  from: Source;
  /** the form that replaces the JSON body */
  form?: z.ZodType;
  /** refused on a disabled project */
  changes: boolean;
  /** failures that the operation declares */
  errors: readonly DeclaredError[];
  output?: z.ZodType;
  /** the body of refusals. Default: the envelope */
  refusal?: z.ZodType;
  statuses: readonly number[];
  envelope: 'none' | 'plain' | 'with-message';
  /** example of the address that a redirect leads to. Default: that of a tracked link */
  location?: string;
  flat: boolean;
  idempotent: boolean;
  /** takes the header `Dry-Run` */
  dryRun: boolean;
  /** of its operation; null where nothing is changed */
  risk: Risk | null;
  /** media type of the response */
  produces: string;
}
