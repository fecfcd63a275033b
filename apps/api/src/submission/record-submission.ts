import {
  type Actor,
  countRequest,
  keyTypeOf,
  observeAccept,
  type Services,
  shownMailbox,
} from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { requestLogOf } from '@postrider/core/insight/requests';
import { resolveKey } from '@postrider/core/people/projects';
import { failureOf } from '../errors/failure.ts';

/** What a login or a message is logged with (behaviour B11.9). */
export interface Submitted {
  /** `AUTH` for a login that was refused, `DATA` for a message */
  method: 'AUTH' | 'DATA';
  key: string;
  ip: string;
  recipients?: readonly string[];
  /** in bytes */
  size?: number;
}

const mostRecipients = 50;
const mostEmails = 10;

/**
 * Does what a client asks for and logs it with its outcome, if its key belongs to a project.
 *
 * @param work returns the ids of emails; it is told how to name the caller, so that the key is not looked up again
 */
export async function recorded(
  services: Services,
  submitted: Submitted,
  work: (found: (actor: KeyActor) => void) => Promise<string[]>,
): Promise<string[]> {
  const began = performance.now();
  let actor: KeyActor | null = null;
  const found = (caller: KeyActor): void => {
    actor = caller;
  };
  try {
    const emailIds = await work(found);
    count(null);
    if (submitted.method === 'DATA') record(emailIds, null);
    return emailIds;
  } catch (error) {
    count(error);
    record([], error);
    throw error;
  }

  function count(error: unknown): void {
    if (submitted.method !== 'DATA') return;
    countRequest('sending.submit', error === null ? 200 : failureOf(error).status);
    observeAccept('smtp', performance.now() - began);
  }

  function record(emailIds: string[], error: unknown): void {
    const durationMs = performance.now() - began;
    if (actor) write(services, submitted, actor, { emailIds, error, durationMs });
    // The reply does not wait for the log.
    else
      void findOwner(services, submitted.key).then((owner) => {
        if (owner) write(services, submitted, owner, { emailIds, error, durationMs });
      });
  }
}

type KeyActor = Extract<Actor, { type: 'key' }>;

/** Whose key of the wrong kind it is. A key of the right kind has been looked up in vain. */
async function findOwner(services: Services, key: string): Promise<KeyActor | null> {
  if (services.config.REQUEST_LOG_DAYS === 0 || keyTypeOf(key) !== 'public') return null;
  try {
    return (await resolveKey(services, key, { required: 'public', countRequest: false })).actor;
  } catch {
    // The key is unknown, or the database is not available: the login belongs to no project.
    return null;
  }
}

interface Outcome {
  emailIds: string[];
  error: unknown;
  durationMs: number;
}

function write(
  services: Services,
  { method, key, ip, recipients, size }: Submitted,
  actor: KeyActor,
  { emailIds, error, durationMs }: Outcome,
): void {
  const failure = error === null ? null : failureOf(error);
  requestLogOf(services).record({
    actor,
    key,
    door: 'SMTP',
    method,
    path: 'smtp',
    operation: 'sending.submit',
    status: failure?.status ?? 200,
    code: failure?.code ?? null,
    durationMs,
    ip,
    userAgent: undefined,
    requestId: newId(),
    dryRun: false,
    details: () => ({
      request:
        method === 'AUTH'
          ? null
          : {
              recipients: recipients
                ?.slice(0, mostRecipients)
                .map((to) => shownMailbox(to) ?? { length: to.length }),
              message: { size },
            },
      response: failure
        ? { code: failure.code, statusCode: failure.status }
        : { emails: emailIds.slice(0, mostRecipients) },
      emailIds: emailIds.slice(0, mostEmails),
    }),
  });
}
