import {
  AppError,
  badRequest,
  type Context,
  type ErrorKind,
  type Operation,
} from '@postrider/core/base/kernel';
import { initTRPC, type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { SessionCaller } from '../access/session-caller.ts';
import { failureOf, unknownRoute } from '../errors/failure.ts';
import { countingUnknownFields } from '../errors/unsupported-fields.ts';
import { observeStream } from '../plugins/observe-streams.ts';

export interface TrpcContext {
  requestId: string;
  reply: FastifyReply;
  caller: SessionCaller;
}

/** tRPC's names for the kinds of failure; it derives the HTTP status from them, the same as `statusOfKind`. */
const codeOfKind = {
  bad_request: 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  payment_required: 'PAYMENT_REQUIRED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  too_large: 'PAYLOAD_TOO_LARGE',
  invalid: 'UNPROCESSABLE_CONTENT',
  rate_limited: 'TOO_MANY_REQUESTS',
  internal: 'INTERNAL_SERVER_ERROR',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorKind, TRPC_ERROR_CODE_KEY>;

/** The operation of a procedure, for the test that every operation has a door. */
interface ProcedureMeta {
  operation: string;
}

export const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 30_000 },
    },
    errorFormatter({ shape, error, ctx }) {
      const { status, code, message, errors, details, suggestion } = failureOf(causeOf(error));
      const requestId = ctx?.requestId ?? '';
      return {
        code: shape.code,
        message,
        data: { code, httpStatus: status, requestId, errors, details, suggestion },
      };
    },
  });

/** Calls in one request (behaviour B8.1). */
export const maxBatchSize = 20;

/** tRPC's own message; its code is the same as for an unreadable body. */
const batchTooLarge = 'Batch call exceeds maximum size';

/** The product's error for a failure of tRPC itself: an unknown procedure, or a body that cannot be read. */
export function causeOf(error: TRPCError): unknown {
  if (error.cause instanceof AppError) return error.cause;
  if (error.code === 'NOT_FOUND' || error.code === 'METHOD_NOT_SUPPORTED') return unknownRoute();
  if (error.message === batchTooLarge) return badRequest(`At most ${maxBatchSize} calls in a batch`);
  if (['PARSE_ERROR', 'BAD_REQUEST', 'UNSUPPORTED_MEDIA_TYPE'].includes(error.code)) {
    return new AppError('INVALID_REQUEST_BODY', 'Invalid JSON in request body');
  }
  return error.cause ?? error;
}

export function toTrpcError(error: unknown): TRPCError {
  const { kind, message } = failureOf(error);
  return new TRPCError({ code: codeOfKind[kind], message, cause: error });
}

type OnSuccess<Output> = (reply: FastifyReply, output: Output, ctx: Context) => void | Promise<void>;

/** Operations without required input may be called without any: tRPC's clients require `void` for this, not `undefined`. */
type CallInput<I extends z.ZodType> =
  Record<string, never> extends z.input<I>
    ? // biome-ignore lint/suspicious/noConfusingVoidType: see above
      z.input<I> | void
    : z.input<I>;

/** The operation parses; here the input only gets its type, without validation. */
const inputOf =
  <I extends z.ZodType>() =>
  (raw: unknown): CallInput<I> =>
    raw as CallInput<I>;

async function run<I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  { caller, reply }: TrpcContext,
  input: unknown,
  onSuccess?: OnSuccess<z.output<O>>,
): Promise<z.output<O>> {
  try {
    const ctx = await caller.contextFor(operation);
    const output = await countingUnknownFields(operation, () => operation.runRaw(ctx, input));
    if (!ctx.request.dryRun) await onSuccess?.(reply, output, ctx);
    return output;
  } catch (error) {
    throw toTrpcError(error);
  }
}

export const asQuery = <I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>) =>
  t.procedure
    .meta({ operation: operation.name })
    .input(inputOf<I>())
    .query(({ ctx, input }) => run(operation, ctx, withoutDirection(input)));

/** tRPC's clients add `direction` to the input of lists that are read page by page; no operation has such a field. */
function withoutDirection(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('direction' in input)) return input;
  const { direction: _, ...rest } = input;
  return rest;
}

export const asMutation = <I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  onSuccess?: OnSuccess<z.output<O>>,
) =>
  t.procedure
    .meta({ operation: operation.name })
    .input(inputOf<I>())
    .mutation(({ ctx, input }) => run(operation, ctx, input, onSuccess));

/** Values as they happen, as server-sent events, for as long as the caller has the permission of the operation. */
export const asSubscription = <Value>(
  operation: Pick<Operation, 'permission'>,
  start: (ctx: Context) => Promise<AsyncIterableIterator<Value>>,
) =>
  t.procedure.subscription(async ({ ctx: { caller, reply } }) => {
    try {
      const values = await start(await caller.contextForStream(operation));
      return observeStream(values, { door: 'trpc', answer: reply.raw, word: toTrpcError });
    } catch (error) {
      throw toTrpcError(error);
    }
  });
