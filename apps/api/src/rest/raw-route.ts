import type { DeclaredError } from '@postrider/core/base/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RestDoor } from './door.ts';
import type { Method } from './endpoint.ts';

interface RawRoute {
  name: string;
  summary: string;
  /** parameters of path and query, for the API reference */
  input?: z.ZodType;
  output?: z.ZodType;
  statuses?: readonly number[];
  produces?: string;
  errors?: readonly DeclaredError[];
  /** example of the address that a redirect leads to */
  location?: string;
  handler(request: FastifyRequest, reply: FastifyReply): unknown;
}

/** A path without an operation: requires no credential and is never counted. */
export function rawRoute(door: RestDoor, method: Method, path: string, route: RawRoute): void {
  const { name, summary, input, output, statuses = [200], produces = 'application/json', handler } = route;
  const { errors = [], location } = route;
  door.endpoints.push({
    method,
    path,
    name,
    summary,
    credential: 'none',
    from: 'query',
    changes: false,
    errors,
    ...(location === undefined ? {} : { location }),
    ...(input ? { input } : {}),
    ...(output ? { output } : {}),
    statuses,
    envelope: 'none',
    flat: false,
    idempotent: false,
    dryRun: false,
    risk: null,
    produces,
  });
  door.app.route({ method, url: path, handler });
}
