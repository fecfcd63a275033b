import type { Context, Operation, Permission, Services } from '@postrider/core/base/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { credentialOf, isOfProject } from '../access/access-of.ts';
import { gate } from '../access/gate.ts';
import { countingUnknownFields } from '../errors/unsupported-fields.ts';
import type { RestDoor } from './door.ts';
import type { Method, Source } from './endpoint.ts';
import { partNamesOf } from './form-scope.ts';
import { queryNames, refuseUnknown } from './refuse-unknown.ts';

type Input = Record<string, unknown>;

export interface MountOptions<Output> {
  /** name in the API reference, where an operation has several paths; default: the operation's */
  name?: string;
  /** success status; several when it depends on the output. Default 200 */
  status?: number | { all: readonly number[]; of(output: Output): number };
  /** `{success: true, data}` instead of the bare output */
  envelope?: boolean;
  /** a sentence in the envelope beside `data` */
  message?: (output: Output) => string;
  /** the message of a flat 400 (behaviour B7.4), or null */
  flat?: (input: Input) => string | null;
  /** path parameter that names the project */
  project?: string;
  /**
   * Stricter permission of this path than that of the operation: that of the role, for an operation that itself only requires
   * an account (refused before the body is read), or that of an account, for a path that only sessions may call.
   */
  permission?: Permission;
  /** throws when the installation does not offer the path */
  assertOffered?: (services: Services) => void;
  /** accepts an `Idempotency-Key`; a function: depending on the body */
  idempotent?: boolean | ((input: Input) => boolean);
  /** in bytes */
  bodyLimit?: number;
  /** where the input is, besides the path. Default: the query for GET and DELETE, the body for the others */
  from?: Source;
  /** the form that replaces the JSON body, for the API reference */
  form?: z.ZodObject;
  /** an operation for bodies of another form, which the API reference shows at a path of its own */
  instead?: { operation: Operation; status: number; when(input: Input): boolean };
  /** sets headers of the success, such as a cookie */
  onSuccess?: (reply: FastifyReply, output: Output, ctx: Context) => void | Promise<void>;
}

/** Mounts an operation on a path: one line per endpoint. Input, output and permission come from the operation. */
export function mount<I extends z.ZodType, O extends z.ZodType>(
  { app, services, endpoints }: RestDoor,
  method: Method,
  path: string,
  operation: Operation<I, O>,
  options: MountOptions<z.output<O>> = {},
): void {
  const { status = 200, flat, onSuccess, idempotent = false } = options;
  const statuses = typeof status === 'number' ? [status] : status.all;
  const permission = options.permission ?? operation.permission;
  const credential = credentialOf({ permission });
  const from = options.from ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body');
  const changes = !operation.allowDisabled;
  endpoints.push({
    method,
    path,
    name: options.name ?? operation.name,
    operation: operation.name,
    summary: operation.summary,
    credential,
    input: operation.input,
    from,
    ...(options.form ? { form: options.form } : {}),
    changes,
    errors: operation.errors,
    output: operation.output,
    statuses,
    envelope: options.envelope ? (options.message ? 'with-message' : 'plain') : 'none',
    flat: flat !== undefined,
    idempotent: idempotent !== false,
    dryRun: operation.hasDryRun,
    risk: operation.risk,
    produces: 'application/json',
  });
  const inputOf = inputReader(path, from);
  const bodyOf = bodyWriter(options);
  app.route({
    method,
    url: path,
    config: { operation: operation.name },
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    onRequest: gate(services, {
      credential,
      permission,
      projectParam: options.project,
      needsProject: options.project !== undefined || isOfProject(operation),
      assertOffered: options.assertOffered,
      changes,
      exceedsReading: method !== 'GET',
      optionalSession: operation.optionalSession,
      idempotency: idempotent
        ? {
            label: `${method} ${path}`,
            successStatus: statuses[0] ?? 200,
            byBody: typeof idempotent === 'function',
          }
        : undefined,
    }),
    async handler(request, reply) {
      const input = inputOf(request);
      if (!options.instead?.when(input)) request.trace?.began(operation, input);
      if (request.keyRefusal && typeof idempotent === 'function' && idempotent(input))
        throw request.keyRefusal;
      const complaint = flat?.(input);
      if (complaint) return reply.code(400).send({ error: complaint });
      const ctx = contextOf(request);
      if (options.instead?.when(input)) return runInstead(options.instead, ctx, request, reply, input);
      const output = await countingUnknownFields(operation, async () => {
        // The input has the parameters of the query where it comes from there.
        if (from === 'body') refuseUnknown(queryNames(request.query), []);
        if (options.form) refuseUnknown(partNamesOf(request), Object.keys(options.form.shape));
        return operation.runRaw(ctx, input);
      });
      if (onSuccess && !ctx.request.dryRun) await onSuccess(reply, output, ctx);
      reply.code(typeof status === 'number' ? status : status.of(output));
      return reply.send(reply.statusCode === 204 ? undefined : bodyOf(output));
    },
  });
}

async function runInstead(
  { operation, status }: NonNullable<MountOptions<unknown>['instead']>,
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
): Promise<FastifyReply> {
  const output = await countingUnknownFields(operation, async () => {
    refuseUnknown(queryNames(request.query), []);
    return operation.runRaw(ctx, input);
  });
  return reply.code(status).send(output);
}

/** The gate ran before the handler, so there is a context. */
export function contextOf({ ctx }: FastifyRequest): Context {
  if (!ctx) throw new Error('this route has no gate');
  return ctx;
}

/** Path parameters take precedence over fields of the body or the query with the same name. */
function inputReader(path: string, from: Source): (request: FastifyRequest) => Input {
  const hasParams = path.includes(':');
  return (request) => {
    const given = ((from === 'query' ? request.query : request.body) ?? {}) as Input;
    return hasParams ? { ...given, ...(request.params as Input) } : given;
  };
}

function bodyWriter<Output>({ envelope, message }: MountOptions<Output>): (output: Output) => unknown {
  if (!envelope) return (output) => output;
  if (!message) return (data) => ({ success: true, data });
  return (data) => ({ success: true, data, message: message(data) });
}
