import {
  AppError,
  type Context,
  keyTypeOf,
  missingAuth,
  type Operation,
  type Permission,
  type Services,
} from '@postrider/core/base/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../access/bearer.ts';
import { type Access, countFurther, gate } from '../access/gate.ts';
import { type Envelope, envelopeFor } from '../errors/envelope.ts';
import type { Failure } from '../errors/failure.ts';
import { answerFailuresAs, type ForeignFailure } from '../plugins/failures.ts';
import { readJsonBodies } from '../plugins/json-body.ts';
import { contextOf } from '../rest/mount.ts';
import type { Given } from './fields.rules.ts';

/** A service whose API is spoken here, so that its clients work unchanged (behaviour B16). */
export interface CompatService {
  /** below `/compat` */
  name: string;
  title: string;
  /** what a 401 names; null for a service whose key is in a header of its own */
  scheme: string | null;
  /** @throws AppError MISSING_AUTH, INVALID_API_KEY */
  keyOf(request: FastifyRequest): string;
  /** @param envelope the form of REST, for services whose own form contains it */
  failureOf(failure: Failure, requestId: string, envelope: Envelope): ForeignFailure;
  /** what to use here instead of routes that are not offered, by a segment of their paths; the first that is found counts */
  elsewhere: Readonly<Record<string, string>>;
  /** Default: JSON, lists included. */
  readBodies?(scope: FastifyInstance, services: Services): void;
  mount(door: CompatDoor): void;
}

export interface CompatDoor {
  scope: FastifyInstance;
  services: Services;
  service: CompatService;
}

export interface Answer {
  status: number;
  /** none for an empty reply */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

interface CompatRoute {
  /** of the operation that it becomes: decides who may call it, and names it in the request log */
  operation: Pick<Operation, 'name' | 'permission' | 'allowDisabled'>;
  /** status of the success that an `Idempotency-Key` gives again; without one the path takes no key */
  keyed?: number;
  bodyLimit?: number;
  /** that of a public key, where the path takes one, too */
  publicOperation?: Pick<Operation, 'name' | 'permission' | 'allowDisabled'>;
  handle(call: Call): Promise<Answer>;
}

/** One request of a client, with what its route does. */
export class Call {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly services: Services;
  #ctx: Context;
  #operations = 0;

  constructor(request: FastifyRequest, reply: FastifyReply, services: Services) {
    this.#request = request;
    this.#reply = reply;
    this.#ctx = contextOf(request);
    this.services = services;
  }

  get ctx(): Context {
    return this.#ctx;
  }

  get request(): FastifyRequest {
    return this.#request;
  }

  get reply(): FastifyReply {
    return this.#reply;
  }

  /** @throws AppError INVALID_REQUEST_BODY for a list */
  get body(): Given {
    const { body } = this.#request;
    if (!Array.isArray(body)) return (body ?? {}) as Given;
    throw new AppError('INVALID_REQUEST_BODY', 'The request body must be a JSON object');
  }

  /** @throws AppError INVALID_REQUEST_BODY for anything else */
  get list(): readonly unknown[] {
    const { body } = this.#request;
    if (Array.isArray(body)) return body;
    throw new AppError('INVALID_REQUEST_BODY', 'The request body must be a JSON array');
  }

  get query(): Given {
    return (this.#request.query ?? {}) as Given;
  }

  param(name: string): string {
    return (this.#request.params as Record<string, string | undefined>)[name] ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** From here on nothing is stored: the sandbox of a service is a dry run (behaviour B15.11), which uses up no key. */
  rehearse(): void {
    const { trace } = this.#request;
    if (trace) trace.dryRun = true;
    this.#ctx = { ...this.#ctx, request: { ...this.#ctx.request, dryRun: true, idempotencyKey: undefined } };
  }

  /** Runs an operation; each one counts as a request, and the first was counted by the gate. @throws AppError */
  async run<Output>(
    operation: { runRaw(ctx: Context, input: unknown): Promise<Output> },
    input: object,
  ): Promise<Output> {
    this.#operations += 1;
    if (this.#operations > 1) await this.charge(1);
    return operation.runRaw(this.#ctx, input);
  }

  /** Counts further requests. @throws AppError RATE_LIMIT_EXCEEDED */
  charge(further: number): Promise<void> {
    return countFurther(this.#ctx, this.#reply, further);
  }
}

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** Mounts a path of a service, below its prefix. */
export function offer(
  { scope, services, service }: CompatDoor,
  method: keyof typeof methods,
  path: string,
  route: CompatRoute,
): void {
  const { operation, publicOperation, keyed, bodyLimit } = route;
  const admit = gate(services, {
    ...accessOf(service, operation.permission),
    changes: !operation.allowDisabled,
    exceedsReading: method !== 'get',
    idempotency:
      keyed === undefined
        ? undefined
        : {
            label: `${methods[method]} /compat/${service.name}${path}`,
            successStatus: keyed,
            byBody: false,
            replays: true,
            longest: longestKey,
          },
  });
  const admitPublic =
    publicOperation &&
    gate(services, {
      ...accessOf(service, publicOperation.permission),
      credential: 'public-key',
      changes: !publicOperation.allowDisabled,
    });
  const isPublic = (request: FastifyRequest): boolean => keyTypeOf(service.keyOf(request)) === 'public';
  scope.route({
    method: methods[method],
    url: path,
    config: { operation: operation.name },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    onRequest: (request, reply) =>
      admitPublic && isPublic(request) ? admitPublic(request, reply) : admit(request, reply),
    async handler(request, reply) {
      const { status, body, headers = {} } = await route.handle(new Call(request, reply, services));
      reply.code(status).headers(headers);
      return reply.send(body);
    },
  });
}

/** Of an `Idempotency-Key`: what clients of these services may give. */
const longestKey = 256;

export const accessOf = (
  service: CompatService,
  permission: Permission | null,
): Pick<Access, 'keyOf' | 'permission' | 'needsProject' | 'credential' | 'changes'> => ({
  keyOf: (request) => service.keyOf(request),
  credential: 'secret-key',
  permission,
  needsProject: true,
  changes: false,
});

/** Opens the paths of a service. */
export function openService(app: FastifyInstance, services: Services, service: CompatService): void {
  void app.register(
    async (scope: FastifyInstance) => {
      answerFailuresAs(scope, services.log, service.scheme, (failure, requestId) =>
        service.failureOf(failure, requestId, envelopeFor(services.config.API_URL)),
      );
      if (service.readBodies) service.readBodies(scope, services);
      else readJsonBodies(scope, { arrays: true });
      service.mount({ scope, services, service });
      // Whatever else its clients know. The key is asked for first, so that the request log has what is missed.
      scope.all('/*', {
        onRequest: gate(services, accessOf(service, null)),
        preParsing: async (request) => {
          throw notOffered(service, request);
        },
        handler: async (request) => {
          throw notOffered(service, request);
        },
      });
    },
    { prefix: `/compat/${service.name}` },
  );
}

function notOffered({ title, elsewhere }: CompatService, { method, url }: FastifyRequest): AppError {
  const path = new URL(url, 'http://localhost').pathname;
  const segments = new Set(path.split('/').slice(3));
  const found = Object.entries(elsewhere).find(([segment]) => segments.has(segment));
  const instead = found ? `Use ${found[1]} here` : 'GET /docs lists what is offered here';
  return new AppError('NOT_SUPPORTED', `${method} of this path of ${title} is not offered. ${instead}`, {
    kind: 'not_found',
    suggestion: instead,
  });
}

/** The key of `Authorization: Bearer`. @throws AppError MISSING_AUTH, INVALID_API_KEY */
export function bearerKeyOf({ headers }: FastifyRequest): string {
  if (!headers.authorization) throw missingAuth();
  return bearerOf(headers.authorization);
}
