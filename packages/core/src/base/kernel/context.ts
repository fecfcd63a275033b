import type { z } from 'zod';
import type { Db } from '../db/client.ts';
import type { Actor } from './actor.ts';
import { AppError } from './errors.ts';
import type { Services } from './services.ts';

/** The project of a request, read once by the gate. */
export interface ProjectState {
  id: string;
  name: string;
  disabled: boolean;
  language: string;
  /** IANA name of the zone in which its days begin and end */
  timeZone: string;
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY';
  /** whether it has definitions of contact fields */
  definesFields: boolean;
}

/** What the request log asks of an operation. */
export interface ObservedOperation {
  readonly name: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** Told by the operations that a request runs what they were given and what they answered, for the request log (behaviour B11.9). */
export interface RequestObserver {
  /** @returns what names this call when it ends */
  began(operation: ObservedOperation, input: unknown): unknown;
  ended(call: unknown, output: unknown): void;
}

export interface RequestInfo {
  id: string;
  ip: string | null;
  /** the header of that name, for the language of a new account */
  acceptLanguage?: string | undefined;
  /** the headers of those names, for the consent log */
  userAgent?: string | undefined;
  referer?: string | undefined;
  /** given by the caller of `/v1/send` or `/v1/track`; its form has been validated */
  idempotencyKey?: string | undefined;
  /** the request as stored in the idempotency row, e.g. `POST /v1/send` */
  label?: string | undefined;
  /** of a request that is logged */
  observer?: RequestObserver | undefined;
  /** HTTP status of a successful reply, for the idempotency row */
  successStatus?: number | undefined;
  /** digest of the body, `sha-256=:…:` (RFC 9530), for the idempotency row; where the door has read a body with a key */
  bodyDigest?: string | undefined;
  /** operations that change something are carried out and undone (behaviour B15.11) */
  dryRun?: boolean | undefined;
  /** the user who agreed to this call of an agent; the audit log has both */
  approvedBy?: string | undefined;
  /** Counts a request that has the work of several as further ones. @throws AppError RATE_LIMIT_EXCEEDED */
  charge?: ((further: number) => Promise<void>) | undefined;
}

/** What a stream that outlives its request asks of the door that opened it (behaviour B4.21). */
export interface StreamRight {
  /** Reads the caller's credential, role and project again. @throws AppError as the door does for a new request */
  renew(): Promise<void>;
  /** Counts events as requests; the first `admitted` of them have room in the present window, the others have to wait for its end. */
  charge(events: number): Promise<{ admitted: number; resetSeconds: number }>;
}

/** The context of an operation. Inside a command, `db` is its transaction. */
export interface Context {
  readonly services: Services;
  readonly actor: Actor;
  readonly project: ProjectState | null;
  readonly request: RequestInfo;
  readonly db: Db;
  /** of a door that opens streams; without it, a stream has no bounds */
  readonly right?: StreamRight;
}

export interface AuditEntry {
  targetType: string;
  targetId: string;
  /** for account operations that concern a project; defaults to the project of the request */
  projectId?: string;
  /** names of changed fields, never values */
  changed?: string[];
}

/** The context of a command: its transaction, and effects after the commit. */
export interface CommandContext extends Context {
  /** A hint to run after the commit (start, signal, notify). What must happen is visible in a row; a hint may get lost. */
  afterCommit(effect: () => unknown): void;
  audit(entry: AuditEntry): void;
}

/** The project of this request. @throws AppError when the request has none */
export function projectOf(ctx: Context): ProjectState {
  if (ctx.project) return ctx.project;
  throw new AppError('BAD_REQUEST', 'This request requires a project', {
    suggestion: 'Send the header X-Project-Id with the id of one of your projects',
  });
}

export const projectIdOf = (ctx: Context): string => projectOf(ctx).id;

/** The signed-in user. @throws AppError UNAUTHORIZED for any other actor */
export function userIdOf(ctx: Context): string {
  if (ctx.actor.type === 'user') return ctx.actor.userId;
  throw new AppError('UNAUTHORIZED', 'This endpoint requires a signed-in user');
}

/** The session of this request; null without one. */
export const sessionIdOf = ({ actor }: Context): string | null =>
  actor.type === 'user' ? (actor.sessionId ?? null) : null;

/** Disabled projects refuse what reaches out or adds (behaviour B3.6). @throws AppError PROJECT_DISABLED */
export function assertProjectEnabled(ctx: Context): void {
  if (ctx.actor.type !== 'system' && ctx.project) assertEnabled(ctx.project);
}

/** The same for a project that an operation of an account names. @throws AppError PROJECT_DISABLED */
export function assertEnabled({ disabled }: Pick<ProjectState, 'disabled'>): void {
  if (!disabled) return;
  throw new AppError('PROJECT_DISABLED', 'This project is disabled', {
    suggestion: 'Open the project in the dashboard to see why',
  });
}

export interface SystemContextOptions {
  project?: ProjectState | null;
  requestId?: string;
}

/** A context for the service itself, for one project or none. */
export function systemContext(
  services: Services,
  { project = null, requestId = 'system' }: SystemContextOptions = {},
): Context {
  return {
    services,
    actor: { type: 'system', projectId: project?.id ?? null },
    project,
    request: { id: requestId, ip: null },
    db: services.database.prisma,
  };
}
