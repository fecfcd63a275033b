import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  clientOf,
  generalTopic,
  type NumberedChoices,
  storeSubmission,
  tooManyUnconfirmed,
} from '../consent/index.ts';

/** The part of a tracked event that is about consent. */
export interface TrackedConsent {
  subscribed: boolean | undefined;
  choices: NumberedChoices;
}

export interface AskedInstead extends TrackedConsent {
  /** what is asked of the owner of the address; null for nothing */
  submissionId: string | null;
}

/** Whether whoever has this key subscribes nobody: anybody can read a public key. */
export const mustAsk = ({ actor, project }: Pick<Context, 'actor' | 'project'>): boolean =>
  project?.confirmsPublic === true && actor.type === 'key' && actor.key === 'public';

/**
 * What is left of a tracked event when a yes has to be confirmed: the yes becomes a request, which is stored here; a no counts at once
 * (behaviour B12.5).
 *
 * @throws AppError RATE_LIMIT_EXCEEDED when too many requests of the project are unconfirmed
 */
export async function askInstead(
  { services, request }: Pick<Context, 'services' | 'request'>,
  { projectId, email }: { projectId: string; email: string },
  { subscribed, choices }: TrackedConsent,
): Promise<AskedInstead> {
  const { yes = [], no } = choices;
  const left: TrackedConsent = {
    subscribed: subscribed === false ? false : undefined,
    choices: no ? { no } : {},
  };
  const wanted = new Set(subscribed === true ? [generalTopic.number, ...yes] : yes);
  if (wanted.size === 0) return { ...left, submissionId: null };
  const client = clientOf(request);
  const id = newId();
  const { over } = await storeSubmission(services.database.durable, {
    ...{ id, projectId, email },
    form: null,
    fields: {},
    topics: [...wanted],
    // The email is in the language of the contact.
    language: 'en',
    page: client.page ?? null,
    ip: client.ip ?? null,
    userAgent: client.userAgent ?? null,
  });
  if (over !== null) throw tooManyUnconfirmed(services.database, projectId);
  return { ...left, submissionId: id };
}
