import { findReuse, idempotencyKeyReused } from '@postrider/core/base/idempotency';
import {
  type Actor,
  AppError,
  assertMayMutate,
  assertPermission,
  assertProjectEnabled,
  type Context,
  keyTypeOf,
  missingAuth,
  type Permission,
  type ProjectState,
  type RequestInfo,
  type Services,
} from '@postrider/core/base/kernel';
import { countMoreRequests, type Rate, resolveKey } from '@postrider/core/people/projects';
import { countSessionRequests } from '@postrider/core/people/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestTrace } from '../request-log/request-trace.ts';
import { bearerOf } from './bearer.ts';
import { assertSameSite } from './cross-site.ts';
import { dryRunOf, refuseDryRunOf } from './dry-run.ts';
import { followTrace } from './follow-trace.ts';
import { badIdempotencyKey, isIdempotencyKey, keyHeaderOf } from './idempotency.ts';
import {
  denied,
  findSession,
  projectHeader,
  requireMembership,
  requireSession,
  userActor,
} from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** the caller and the project; set by the gate, null on routes without one */
    ctx: Context | null;
    /** what the request log is told of it; null without a key, and where the log is off */
    trace: RequestTrace | null;
    /** the error of an invalid `Idempotency-Key`, where the body determines whether the key applies */
    keyRefusal: AppError | null;
    /** whether its `Idempotency-Key` was used before, where such a request is answered as the first was */
    isRepeat: boolean;
  }
}

/** The credential that a route accepts; the permission restricts roles. */
export type Credential = 'public-key' | 'secret-key' | 'secret-or-session' | 'session' | 'none';

export interface Access {
  credential: Credential;
  /** null: any key of the right kind, for a path that does nothing */
  permission: Permission | null;
  /**
   * where the key of a request is, if not in `Authorization: Bearer`; no session is accepted then
   *
   * @throws AppError MISSING_AUTH, INVALID_API_KEY
   */
  keyOf?: ((request: FastifyRequest) => string) | undefined;
  /** path parameter that names the project, on the paths that do; otherwise sessions name it in `X-Project-Id` */
  projectParam?: string | undefined;
  /** requires a project: false for endpoints of the account */
  needsProject: boolean;
  /** Throws when the installation does not offer the path; checked after the access to the project and before the role. */
  assertOffered?: ((services: Services) => void) | undefined;
  /** refused on a disabled project */
  changes: boolean;
  /** outside the scope `read` of named keys, whatever the permission (behaviour B11.2: every GET, and GraphQL queries) */
  exceedsReading?: boolean;
  /** with the credential `none`: a valid session makes its user the actor */
  optionalSession?: boolean;
  /**
   * accepts an `Idempotency-Key`; the name and the status of the request in the stored row. `byBody`: only with
   * certain bodies, so an invalid key is refused by the route and not here. `replays`: the route answers a used key as the first request
   */
  idempotency?:
    | { label: string; successStatus: number; byBody: boolean; replays?: boolean; longest?: number }
    | undefined;
}

type GateHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Runs before a byte of the body is read. Behaviour B1.1 fixes the order: credential (401), access to the project (403),
 * rate limit (429), disabled project (403), idempotency key (400, 409); the body comes after all of them.
 */
export function gate(services: Services, access: Access): GateHook {
  return async (request, reply) => {
    request.ctx =
      access.credential === 'none'
        ? await admitAnyone(services, access, request, reply)
        : access.keyOf
          ? await admitKey(services, access, request, reply, access.keyOf(request))
          : request.headers.authorization
            ? await admitKey(services, access, request, reply, bearerOf(request.headers.authorization))
            : await admitSession(services, access, request, reply);
    followTrace(request, request.ctx.actor);
  };
}

async function admitAnyone(
  services: Services,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  refuseDryRunOf(request, reply);
  assertSameSite(request.method, request.headers, services.config);
  const session = access.optionalSession ? await findSession(services, request.headers) : null;
  const actor: Actor = session ? userActor(services, session) : { type: 'anonymous' };
  return contextOf(services, actor, null, infoOf(request, false));
}

async function admitKey(
  services: Services,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<Context> {
  const given = idempotencyKeyOf(access, request);
  const usable = given !== undefined && isIdempotencyKey(given, access.idempotency?.longest);
  const required = access.credential === 'public-key' ? 'public' : 'secret';
  const { trace } = request;
  if (trace) {
    trace.key = key;
    trace.isWrongKind = keyTypeOf(key) !== required;
  }
  const { actor, project, rate, isKeyUsed } = await resolveKey(services, key, {
    required,
    idempotencyKey: usable ? given : undefined,
    countRequest: access.credential !== 'session',
  });
  if (trace) trace.actor = actor;
  if (rate) addRateHeaders(reply, rate);
  if (access.permission) assertPermission(actor, access.permission);
  if (access.exceedsReading) assertMayMutate(actor);
  if (access.projectParam && pathParam(request, access.projectParam) !== project.id) denied();
  if (rate?.exceeded) throw rateExceeded(rate.resetSeconds);
  const dryRun = dryRunOf(request, reply);
  const ctx = contextOf(services, actor, project, infoOf(request, dryRun, access, given));
  ctx.request.charge = (further) => countFurther(ctx, reply, further);
  if (access.changes) assertProjectEnabled(ctx);
  if (given !== undefined && !usable)
    refuseKey(access, request, badIdempotencyKey(access.idempotency?.longest));
  else if (isKeyUsed && access.idempotency?.replays) request.isRepeat = true;
  else if (given !== undefined && isKeyUsed)
    refuseKey(access, request, await idempotencyKeyReused(ctx, project.id, given));
  return ctx;
}

function refuseKey({ idempotency }: Access, request: FastifyRequest, refusal: AppError): void {
  if (!idempotency?.byBody) throw refusal;
  request.keyRefusal = refusal;
}

async function admitSession(
  services: Services,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  if (access.credential === 'public-key' || access.credential === 'secret-key') throw missingAuth();
  const session = await requireSession(services, request.headers, reply);
  assertSameSite(request.method, request.headers, services.config);
  const user = userActor(services, session);
  const count = (requests = 1) => countSessionRequests(services, user.userId, requests);
  // Before the project is checked, so that an unverified address gets the same error everywhere.
  const permission = access.permission ?? 'account';
  assertPermission(user, access.needsProject ? 'account' : permission);
  if (!access.needsProject) {
    await count();
    return contextOf(services, user, null, infoOf(request, dryRunOf(request, reply)));
  }
  const named = access.projectParam
    ? pathParam(request, access.projectParam)
    : projectHeader(request.headers);
  const { role, project } = await requireMembership(services, user.userId, named);
  const actor: Actor = { ...user, projectId: project.id, role };
  access.assertOffered?.(services);
  assertPermission(actor, permission);
  await count();
  const dryRun = dryRunOf(request, reply);
  const given = idempotencyKeyOf(access, request);
  const ctx = contextOf(services, actor, project, infoOf(request, dryRun, access, given));
  ctx.request.charge = count;
  if (access.changes) assertProjectEnabled(ctx);
  if (given === undefined) return ctx;
  if (!isIdempotencyKey(given)) {
    refuseKey(access, request, badIdempotencyKey());
    return ctx;
  }
  const refusal = await findReuse(ctx, project.id, given);
  if (refusal) refuseKey(access, request, refusal);
  return ctx;
}

const idempotencyKeyOf = ({ idempotency }: Access, request: FastifyRequest): string | undefined =>
  idempotency ? keyHeaderOf(request) : undefined;

function pathParam(request: FastifyRequest, name: string): string | undefined {
  const value = (request.params as Record<string, string | undefined>)[name];
  return value?.toLowerCase();
}

function infoOf(
  request: FastifyRequest,
  dryRun: boolean,
  access?: Access,
  idempotencyKey?: string,
): RequestInfo {
  const info: RequestInfo = {
    id: request.id,
    ip: request.ip,
    acceptLanguage: request.headers['accept-language'],
    userAgent: request.headers['user-agent'],
    referer: request.headers.referer,
    observer: request.trace?.actor ? request.trace : undefined,
    dryRun,
  };
  if (request.trace) request.trace.dryRun = dryRun;
  if (idempotencyKey === undefined || !access?.idempotency) return info;
  const { label, successStatus } = access.idempotency;
  return { ...info, idempotencyKey, label, successStatus };
}

const contextOf = (
  services: Services,
  actor: Actor,
  project: ProjectState | null,
  request: RequestInfo,
): Context => ({ services, actor, project, request, db: services.database.prisma });

/** Counts the further requests in a request with a key; the gate has counted the first. @throws AppError RATE_LIMIT_EXCEEDED */
export async function countFurther(
  { services, actor }: Context,
  reply: FastifyReply,
  requests: number,
): Promise<void> {
  if (actor.type !== 'key' || requests <= 0) return;
  const rate = await countMoreRequests(services, actor, requests);
  addRateHeaders(reply, rate);
  if (rate.exceeded) throw rateExceeded(rate.resetSeconds);
}

function addRateHeaders(reply: FastifyReply, rate: Rate): void {
  reply
    .header('ratelimit-limit', String(rate.limit))
    .header('ratelimit-remaining', String(rate.remaining))
    .header('ratelimit-reset', String(rate.resetSeconds));
}

const rateExceeded = (retryAfter: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', 'This project has reached its request limit', {
    details: { retryAfter },
  });
