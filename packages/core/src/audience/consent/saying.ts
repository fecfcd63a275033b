import { type Context, invalid } from '../../base/kernel/index.ts';
import { maxIp, maxPage, maxUserAgent } from './consent.rules.ts';
import type { StatedConsent } from './consent.schema.ts';
import type { Saying } from './statements.rules.ts';
import { hasWording } from './wordings.store.ts';

/**
 * Who makes a request about single contacts, for the acts that it writes: a user in the dashboard, or a key. What users do is always recorded.
 * Of a public key, which visitors of web pages use, the request itself is the evidence.
 */
export function sayingOf({ actor, request }: Pick<Context, 'actor' | 'request'>): Saying {
  if (actor.type === 'user')
    return {
      by: 'single',
      source: 'dashboard',
      actor: 'user',
      actorId: actor.userId,
      reason: 'dashboard',
      always: true,
    };
  if (actor.type !== 'key') return { by: 'single', source: 'api', actor: 'system', reason: 'api' };
  const key = {
    source: 'api',
    actor: 'key',
    reason: 'api',
    ...(actor.named && { actorId: actor.named.id, keyName: actor.named.name }),
  } as const;
  if (actor.key === 'secret') return { by: 'single', ...key };
  return { by: 'public', ...key, ...clientOf(request) };
}

/** What a client says of itself, as acts keep it. */
export const clientOf = ({
  ip,
  userAgent,
  referer,
}: Pick<Context['request'], 'ip' | 'userAgent' | 'referer'>): Pick<Saying, 'ip' | 'userAgent' | 'page'> => ({
  ...(ip && { ip: ip.slice(0, maxIp) }),
  ...(userAgent && { userAgent: userAgent.slice(0, maxUserAgent) }),
  ...(referer && { page: referer.slice(0, maxPage) }),
});

/**
 * The same with the evidence that the caller states.
 *
 * @throws AppError VALIDATION_ERROR for a time in the future, and for an unknown wording
 */
export async function statedBy(
  ctx: Pick<Context, 'actor' | 'request' | 'db'>,
  projectId: string,
  consent: StatedConsent | undefined,
): Promise<Saying> {
  const saying = sayingOf(ctx);
  if (!consent || saying.by === 'public') return saying;
  const { basis = 'given', at, ip, userAgent, page, source, wordingId } = consent;
  if (at !== undefined && new Date(at) > new Date())
    throw invalid([{ field: 'consent.at', code: 'invalid_date', message: 'Must not be in the future' }]);
  if (wordingId !== undefined && !(await hasWording(ctx.db, projectId, wordingId)))
    throw invalid([
      { field: 'consent.wordingId', code: 'unknown_reference', message: 'The project has no such wording' },
    ]);
  return {
    ...saying,
    basis,
    ...(at !== undefined && { at }),
    ...(ip && { ip }),
    ...(userAgent && { userAgent }),
    ...(page && { page }),
    ...(wordingId !== undefined && { wordingId }),
    ...(source && { evidence: { source } }),
  };
}
