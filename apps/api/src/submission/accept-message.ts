import {
  AppError,
  assertProjectEnabled,
  type Context,
  rootSpan,
  type Services,
} from '@postrider/core/base/kernel';
import {
  findSubmittedEmails,
  readOnThread,
  submissionLabel,
  submitMessage,
} from '@postrider/core/mail/submission';
import { badIdempotencyKey, isIdempotencyKey } from '../access/idempotency.ts';
import { contextOf, type Found, resolveSender } from './log-in.ts';
import { recorded } from './record-submission.ts';

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
 * disabled project, idempotency key, content. Nothing of the message is read before the first three.
 *
 * @returns the ids of the emails; those of the first message when its idempotency key was used before
 * @throws AppError
 */
export const acceptMessage = (services: Services, submitted: SubmittedMessage): Promise<string[]> =>
  rootSpan('SMTP DATA', { 'postrider.operation': 'sending.submit' }, { kind: 'server' }, () =>
    recorded(services, { ...submitted, method: 'DATA', size: submitted.message.length }, (found) =>
      accept(services, submitted, found),
    ),
  );

async function accept(
  services: Services,
  { key, ip, recipients, message }: SubmittedMessage,
  found: Found,
): Promise<string[]> {
  const sender = await resolveSender(services, key, { countRequest: true }, found);
  if (sender.rate?.exceeded)
    throw new AppError('RATE_LIMIT_EXCEEDED', 'This project has reached its request limit');
  const contextWith = (idempotencyKey: string | undefined): Context =>
    contextOf(services, sender, ip, { idempotencyKey, label: submissionLabel, successStatus: 250 });
  assertProjectEnabled(contextWith(undefined));
  const submission = await readOnThread(services, sender.project.id, message);
  const idempotencyKey = submission.idempotencyKey ?? undefined;
  if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) throw badIdempotencyKey();
  const first = (used: string): Promise<string[]> => firstEmails(services, sender.project.id, used);
  const isRepeated = idempotencyKey !== undefined && (await isUsed(services, key, idempotencyKey));
  if (isRepeated) return first(idempotencyKey);
  try {
    const input = { submission, recipients: [...recipients] };
    return (await submitMessage.run(contextWith(idempotencyKey), input)).emails;
  } catch (error) {
    const isReused = error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED';
    if (isReused && idempotencyKey !== undefined) return first(idempotencyKey);
    throw error;
  }
}

/** A repeated message gets the answer of the first, whatever else would refuse it now. */
async function isUsed(services: Services, key: string, idempotencyKey: string): Promise<boolean> {
  const { isKeyUsed } = await resolveSender(services, key, { countRequest: false, idempotencyKey });
  return isKeyUsed;
}

/** The emails of the message that used the key first. @throws AppError when another request used it */
async function firstEmails(services: Services, projectId: string, key: string): Promise<string[]> {
  const ids = await findSubmittedEmails(services, projectId, key);
  if (ids.length > 0) return ids;
  throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used by another request');
}
