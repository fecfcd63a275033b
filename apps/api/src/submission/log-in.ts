import {
  AppError,
  assertPermission,
  type Context,
  isAgent,
  type Services,
} from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { type ResolvedKey, type ResolveKeyOptions, resolveKey } from '@postrider/core/people/projects';

export const userName = 'postrider';

/** Takes the caller as soon as it is known. */
export type Found = (actor: ResolvedKey['actor']) => void;

/**
 * The project of a key that may send: the project's secret key, or a named key of scope `full` or `send`.
 *
 * @param found is told whose key it is, also one that may not send
 * @throws AppError of kind unauthenticated for any other key
 */
export async function resolveSender(
  services: Services,
  key: string,
  options: Omit<ResolveKeyOptions, 'required'>,
  found: Found = () => undefined,
): Promise<ResolvedKey> {
  const resolved = await resolveKey(services, key, { ...options, required: 'secret' });
  found(resolved.actor);
  try {
    assertPermission(resolved.actor, 'mail:send');
  } catch (error) {
    if (error instanceof AppError) throw new AppError('INVALID_API_KEY', error.message);
    throw error;
  }
  // A message cannot wait for a person.
  if (isAgent(resolved.actor))
    throw new AppError('INVALID_API_KEY', 'A key of the scope agent submits no messages');
  return resolved;
}

/** The context of one submitted message. */
export const contextOf = (
  services: Services,
  { actor, project }: ResolvedKey,
  ip: string,
  idempotency: Pick<Context['request'], 'idempotencyKey' | 'label' | 'successStatus'>,
): Context => ({
  services,
  actor,
  project,
  request: { id: newId(), ip, ...idempotency },
  db: services.database.prisma,
});
