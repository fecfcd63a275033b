import { findFirstUse, idempotencyKeyReused } from '@postrider/core/base/idempotency';
import {
  AppError,
  type ErrorCode,
  type ErrorKind,
  type FieldError,
  projectIdOf,
  statusOfKind,
} from '@postrider/core/base/kernel';
import { sendBatch, sendEmail } from '@postrider/core/mail/sending';
import { type Failure, failureOf } from '../errors/failure.ts';
import type { Call } from './door.ts';

/** An email that a request made. */
export interface Made {
  email: string;
  to: string;
  recipientType: 'TO' | 'CC' | 'BCC';
  /** null once it is gone */
  status: string | null;
  reason: string | null;
}

/** When a request was accepted, and its emails. */
export interface Accepted {
  at: Date;
  emails: readonly Made[];
}

/**
 * Sends one message; a request that was accepted before gives its emails.
 *
 * @param place of a field of the message in the request of the service
 * @throws AppError
 */
export async function sendOne(
  call: Call,
  input: object,
  place: (field: string) => string = (field) => field,
): Promise<Accepted> {
  const { at, items } = await onceByKey(call, async () => {
    try {
      const { emails, timestamp } = await call.run(sendEmail, input);
      return { at: new Date(timestamp), items: [emails] };
    } catch (error) {
      throw error instanceof AppError && error.errors ? moved(error, place) : error;
    }
  });
  return { at, emails: items[0] ?? [] };
}

/**
 * Sends different messages, all or none; a request that was accepted before gives its emails.
 *
 * @param place of a field of one of the messages in the request of the service
 * @throws AppError that of the first message that is refused
 */
export async function sendAll(
  call: Call,
  messages: readonly object[],
  place: (index: number, field: string) => string,
): Promise<{ at: Date; items: readonly (readonly Made[])[] }> {
  return onceByKey(call, async () => {
    try {
      const { results, timestamp } = await call.run(sendBatch, { emails: messages, atomic: true });
      return { at: new Date(timestamp), items: results.map(({ emails = [] }) => emails) };
    } catch (error) {
      throw error instanceof AppError ? atItsPlace(error, place) : error;
    }
  });
}

/** The error of a message of a batch, whose fields are those of the message. */
function atItsPlace(error: AppError, place: (index: number, field: string) => string): AppError {
  const refused = error.details?.['results'];
  if (!Array.isArray(refused)) return error;
  const index = Number(refused[0]?.index);
  return moved(error, (field) => place(index, field));
}

function moved(
  { code, kind, message, errors, details, suggestion }: AppError,
  place: (field: string) => string,
): AppError {
  const { results: _results, ...facts } = details ?? {};
  return new AppError(code, message, {
    kind,
    ...(details && { details: facts }),
    ...(errors && { errors: errors.map((each) => ({ ...each, field: place(each.field) })) }),
    ...(suggestion !== undefined && { suggestion }),
  });
}

/** What became of one message; of one that was refused when its request was accepted before, no more is known. */
export type Outcome = { emails: readonly Made[] } | { failure: Failure | null };

/** Sends different messages, each for itself. @param messages errors for those that could not be translated */
export async function sendEach(
  call: Call,
  messages: readonly (object | AppError)[],
): Promise<{ at: Date; outcomes: readonly Outcome[] }> {
  const good = messages.filter((message) => !(message instanceof AppError));
  const { at, items } =
    good.length === 0
      ? { at: new Date(), items: [] }
      : await onceByKey<Outcome>(call, async () => {
          const { results, timestamp } = await call.run(sendBatch, { emails: good });
          return {
            at: new Date(timestamp),
            items: results.map(({ emails, error }) =>
              emails ? { emails } : { failure: error ? failureOfItem(error) : null },
            ),
          };
        });
  const next = items.values();
  const outcomes = messages.map((message): Outcome => {
    if (message instanceof AppError) return { failure: failureOf(message) };
    const { value } = next.next();
    if (value === undefined) return { failure: null };
    if (!isList(value)) return value;
    return value.length > 0 ? { emails: value } : { failure: null };
  });
  return { at, outcomes };
}

const isList = (value: Outcome | readonly Made[]): value is readonly Made[] => Array.isArray(value);

interface ItemError {
  code: string;
  message: string;
  statusCode: number;
  errors?: FieldError[] | undefined;
  details?: Record<string, unknown> | undefined;
  suggestion: string;
}

const kindOfStatus = new Map(
  Object.entries(statusOfKind).map(([kind, status]) => [status as number, kind as ErrorKind]),
);

function failureOfItem({ code, message, statusCode, errors, details, suggestion }: ItemError): Failure {
  const kind = kindOfStatus.get(statusCode) ?? 'internal';
  return failureOf(
    new AppError(code as ErrorCode, message, {
      kind,
      suggestion,
      ...(errors && { errors }),
      ...(details && { details }),
    }),
  );
}

interface Answered<Item> {
  at: Date;
  items: readonly Item[];
}

/**
 * Answers a request whose key was used before with what the first one made, if it is the same request (behaviour B16.3). Of parallel ones, the
 * statement that stores them lets one through and makes the others wait.
 *
 * @throws AppError IDEMPOTENCY_KEY_REUSED when the first request was another one
 */
export async function onceByKey<Item>(
  call: Call,
  send: () => Promise<Answered<Item>>,
): Promise<Answered<Item | readonly Made[]>> {
  const { ctx, request } = call;
  const key = ctx.request.idempotencyKey;
  if (key === undefined) return send();
  if (request.isRepeat) {
    const first = await findFirst(call, key);
    if (first) return first;
  }
  try {
    return await send();
  } catch (error) {
    const isUsed = error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED';
    const first = isUsed ? await findFirst(call, key) : null;
    if (first) return first;
    throw error;
  }
}

/** @returns null when the key is free again */
async function findFirst({ ctx, reply }: Call, key: string): Promise<Answered<readonly Made[]> | null> {
  const projectId = projectIdOf(ctx);
  const first = await findFirstUse(ctx, projectId, key);
  if (!first) return null;
  const { label, bodyDigest } = ctx.request;
  if (first.request !== label || first.digest === null || first.digest !== bodyDigest)
    throw await idempotencyKeyReused(ctx, projectId, key);
  reply.header('idempotency-replayed', 'true');
  return { at: first.createdAt, items: first.items };
}
