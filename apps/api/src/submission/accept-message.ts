import { AppError, assertProjectEnabled, type Services } from '@postrider/core/kernel';
import {
  findSubmittedEmails,
  readSubmission,
  type Submission,
  submissionLabel,
  submitMessage,
} from '@postrider/core/sending';
import { badIdempotencyKey, isIdempotencyKey } from '../access/idempotency.ts';
import { contextOf, resolveSender } from './log-in.ts';

export interface SubmittedMessage {
  /** of the login */
  key: string;
  /** of the client */
  ip: string;
  /** normalised addresses */
  recipients: readonly string[];
  message: Buffer;
}

/**
 * Stores a message, and counts it as a request of its project. The checks have the order of those of a REST request: credential, rate limit,
 * disabled project, idempotency key, content.
 *
 * @returns the ids of the emails; those of the first message when its idempotency key was used before
 * @throws AppError
 */
export async function acceptMessage(
  services: Services,
  { key, ip, recipients, message }: SubmittedMessage,
): Promise<string[]> {
  const read = readOrRefusal(message);
  const given = read instanceof AppError ? null : read.idempotencyKey;
  const idempotencyKey = given !== null && isIdempotencyKey(given) ? given : undefined;
  const sender = await resolveSender(services, key, { countRequest: true, idempotencyKey });
  if (sender.rate?.exceeded)
    throw new AppError('RATE_LIMIT_EXCEEDED', 'This project has reached its request limit');
  const ctx = contextOf(services, sender, ip, {
    idempotencyKey,
    label: submissionLabel,
    successStatus: 250,
  });
  assertProjectEnabled(ctx);
  if (read instanceof AppError) throw read;
  if (given !== null && idempotencyKey === undefined) throw badIdempotencyKey();
  const first = (used: string): Promise<string[]> => firstEmails(services, sender.project.id, used);
  if (sender.idempotency && idempotencyKey !== undefined) return first(idempotencyKey);
  try {
    const { emails } = await submitMessage.run(ctx, { submission: read, recipients: [...recipients] });
    return emails;
  } catch (error) {
    const isUsed = error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED';
    if (isUsed && idempotencyKey !== undefined) return first(idempotencyKey);
    throw error;
  }
}

/** The refusal is given after the checks that come before the content. */
function readOrRefusal(message: Buffer): Submission | AppError {
  try {
    return readSubmission(message);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The emails of the message that used the key first. @throws AppError when another request used it */
async function firstEmails(services: Services, projectId: string, key: string): Promise<string[]> {
  const ids = await findSubmittedEmails(services, projectId, key);
  if (ids.length > 0) return ids;
  throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used by another request');
}
