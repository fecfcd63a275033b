import {
  AppError,
  type Context,
  missingAuth,
  type Operation,
  projectIdOf,
  type Services,
} from '@postrider/core/base/kernel';
import { resolveKey } from '@postrider/core/people/projects';
import { countSessionRequests } from '@postrider/core/people/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOfProject } from './access-of.ts';
import { bearerOf } from './bearer.ts';
import { dryRunOf } from './dry-run.ts';
import { followTrace } from './follow-trace.ts';
import { rightOfSession } from './renew.ts';
import {
  findSession,
  projectHeader,
  requireMembership,
  requireSession,
  type UserActor,
  userActor,
} from './session.ts';
import { readSessionToken } from './session-cookie.ts';

type Called = Pick<Operation, 'permission' | 'optionalSession'>;

/** The caller of a door that accepts only sessions, for requests that may contain several operations. */
export interface SessionCaller {
  contextFor(operation: Called): Promise<Context>;
  /** the same for a stream of events, which ends with the right to the operation */
  contextForStream(operation: Pick<Operation, 'permission'>): Promise<Context>;
}

interface CallerOptions {
  /** operations in the request */
  calls: number;
  /** of a browser's event source, which cannot send the header */
  projectId?: string | undefined;
}

/** The session and the membership are looked up, and the `calls` counted, once per request, for all its operations. */
export function sessionCaller(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { calls, projectId }: CallerOptions,
): SessionCaller {
  const { headers } = request;
  const base = {
    services,
    request: { id: request.id, ip: request.ip, dryRun: dryRunOf(request, reply) },
    db: services.database.prisma,
  };
  const user = once(async () => {
    if (headers.authorization) await refuseKey(services, headers.authorization);
    const actor = userActor(services, await requireSession(services, headers, reply));
    followTrace(request, actor);
    return actor;
  });
  const member = once(async () => {
    const actor = await user();
    const { role, project } = await requireMembership(
      services,
      actor.userId,
      projectId ?? projectHeader(headers),
    );
    return { ...base, actor: { ...actor, projectId: project.id, role } satisfies UserActor, project };
  });
  const counted = once(async () => countSessionRequests(services, (await user()).userId, calls));
  const anyone = async ({ optionalSession }: Called): Promise<Context> => {
    const session = optionalSession ? await findSession(services, headers) : null;
    return {
      ...base,
      actor: session ? userActor(services, session) : { type: 'anonymous' },
      project: null,
    };
  };
  const contextFor = async (operation: Called): Promise<Context> => {
    if (operation.permission === 'public') return anyone(operation);
    const ctx = isOfProject(operation) ? await member() : { ...base, actor: await user(), project: null };
    await counted();
    return ctx;
  };
  return {
    contextFor,
    async contextForStream(operation) {
      const ctx = await contextFor({ ...operation, optionalSession: false });
      const token = readSessionToken(headers.cookie);
      if (token === null) throw missingAuth();
      const { permission } = operation;
      return { ...ctx, right: rightOfSession(services, { token, projectId: projectIdOf(ctx), permission }) };
    },
  };
}

/** Behaviour B5.1: a valid key that does not apply here gets its own error. */
async function refuseKey(services: Services, authorization: string): Promise<never> {
  await resolveKey(services, bearerOf(authorization), { required: 'secret', countRequest: false });
  throw new AppError('UNAUTHORIZED', 'This endpoint requires a signed-in user, not an API key');
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
