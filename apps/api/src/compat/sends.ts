import { findFirstUse, idempotencyKeyReused } from '@postrider/core/base/idempotency';
import { AppError, projectIdOf } from '@postrider/core/base/kernel';
import { sendEmail } from '@postrider/core/mail/sending';
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

/** Sends one message; a request that was accepted before gives its emails. @throws AppError */
export async function sendOne(call: Call, input: object): Promise<Accepted> {
  const { at, items } = await onceByKey(call, async () => {
    const { emails, timestamp } = await call.run(sendEmail, input);
    return { at: new Date(timestamp), items: [emails] };
  });
  return { at, emails: items[0] ?? [] };
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
