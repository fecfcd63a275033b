import type { Db } from '../db/client.ts';
import type { Actor } from './actor.ts';
import { AppError } from './errors.ts';
import type { Services } from './services.ts';

/** What every request needs of its project, read once by the gate. */
export interface ProjectState {
  id: string;
  name: string;
  disabled: boolean;
  language: string;
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY';
}

export interface RequestInfo {
  id: string;
  ip: string | null;
  /** given by the caller for `/v1/send` and `/v1/track`; already checked for its form */
  idempotencyKey?: string | undefined;
  /** how the idempotency row names the request, e.g. `POST /v1/send` */
  label?: string | undefined;
  /** status that a success of this request answers, for the idempotency row */
  successStatus?: number | undefined;
}

/** Everything an operation may know. `db` is the running transaction inside of a command. */
export interface Context {
  readonly services: Services;
  readonly actor: Actor;
  readonly project: ProjectState | null;
  readonly request: RequestInfo;
  readonly db: Db;
}

export interface AuditEntry {
  targetType: string;
  targetId: string;
  /** for operations of an account that concern a project; otherwise the project of the request */
  projectId?: string;
  /** names of changed fields, never values */
  changed?: string[];
}

/** A command's context: its transaction, and what happens once it is committed. */
export interface CommandContext extends Context {
  /** A hint to run after the commit (start, poke, wake). What must happen is visible in a row; a hint may get lost. */
  afterCommit(effect: () => void | Promise<void>): void;
  audit(entry: AuditEntry): void;
}

/** The project that this request is about. @throws AppError when the request names none */
export function projectOf(ctx: Context): ProjectState {
  if (ctx.project) return ctx.project;
  throw new AppError('BAD_REQUEST', 'This request needs a project', {
    suggestion: 'Send the header X-Project-Id with the id of one of your projects',
  });
}

export const projectIdOf = (ctx: Context): string => projectOf(ctx).id;

/** The signed-in person who asks. @throws AppError UNAUTHORIZED for anyone else */
export function userIdOf(ctx: Context): string {
  if (ctx.actor.type === 'user') return ctx.actor.userId;
  throw new AppError('UNAUTHORIZED', 'This endpoint requires a signed-in user');
}

/** Disabled projects read, but change nothing (B3.6). */
export function assertProjectEnabled(ctx: Context): void {
  if (ctx.actor.type === 'system' || !ctx.project?.disabled) return;
  throw new AppError('PROJECT_DISABLED', 'This project is disabled', {
    suggestion: 'Open the project in the dashboard to see why',
  });
}

export interface SystemContextOptions {
  project?: ProjectState | null;
  requestId?: string;
}

/** A context in which the service itself acts, for one project or for none. */
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
