import type { z } from 'zod';
import type { Db } from '../db/client.ts';
import { retryConflicts } from '../db/retry.ts';
import { newId } from '../lib/ids.ts';
import { closedToAgents, judgeAgent } from './agents.ts';
import {
  type AuditEntry,
  assertProjectEnabled,
  type CommandContext,
  type Context,
  type ObservedOperation,
} from './context.ts';
import { badRequest, type DeclaredError } from './errors.ts';
import { assertPermission, isAgent, type Permission, permissions } from './permissions.ts';
import { refuseDryRun, rehearse } from './rehearse.ts';
import type { Risk } from './risk.ts';
import { isTracing, span } from './traces.ts';
import { parseInput, parseRequest } from './validation.ts';

type Kind = 'query' | 'command' | 'direct';

interface Definition<Input extends z.ZodType, Output extends z.ZodType, Ctx> {
  /** `area.verb`, e.g. `contacts.upsert`; the name in audit rows, metrics and GraphQL */
  name: string;
  /** one sentence for the API reference */
  summary: string;
  permission: Permission;
  /** failures of its own, besides those of credentials, limits and the shape of its input; the API reference lists them */
  errors?: readonly DeclaredError[];
  input: Input;
  output: Output;
  /** the record whose fields may be sent back, where it has more than the output (behaviour B1.1) */
  record?: z.ZodType;
  /**
   * Whether it works on a disabled project. By default queries do, and what belongs to an account; an operation of an account that names
   * a project checks it itself, with `assertEnabled`.
   */
  allowDisabled?: boolean;
  /** of a public operation: where the door finds a valid session, its user is the actor */
  optionalSession?: boolean;
  /** reached by workers and seeds only, mounted on no door */
  internal?: boolean;
  /** something outside of the database is always a part of it, so it cannot be a dry run (behaviour B15.11) */
  outside?: boolean;
  handler(ctx: Ctx, input: z.output<Input>): Promise<z.input<Output>>;
}

/** What changes something says what it risks. */
interface Writing {
  risk: Risk;
}

/** One thing that the product can do. `run` and `runRaw` are its only entry points. */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly kind: Kind;
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly errors: readonly DeclaredError[];
  readonly input: Input;
  readonly output: Output;
  readonly internal: boolean;
  /** doors refuse the others on a disabled project before they read a body */
  readonly allowDisabled: boolean;
  readonly optionalSession: boolean;
  /** null of what changes nothing */
  readonly risk: Risk | null;
  /** whether it can be a dry run (behaviour B15.11) */
  readonly hasDryRun: boolean;
  run(ctx: Context, input: z.input<Input>): Promise<z.output<Output>>;
  /** The same for the doors, whose callers may send anything; a field that the input does not describe is refused (behaviour B1.1). */
  runRaw(ctx: Context, rawInput: unknown): Promise<z.output<Output>>;
}

const registered = new Map<string, Operation>();

/** Every operation that has been loaded, by name. */
export const operationRegistry: ReadonlyMap<string, Operation> = registered;

const worksWhenDisabled = (
  kind: Kind,
  {
    allowDisabled,
    permission,
  }: Pick<Definition<z.ZodType, z.ZodType, never>, 'allowDisabled' | 'permission'>,
): boolean => allowDisabled ?? (kind === 'query' || permissions[permission].scope !== 'project');

function register<Input extends z.ZodType, Output extends z.ZodType>(
  kind: Kind,
  definition: Omit<Definition<Input, Output, never>, 'handler'> & Partial<Writing>,
  run: (parse: Parse<Input>) => Operation<Input, Output>['runRaw'],
): Operation<Input, Output> {
  if (registered.has(definition.name)) throw new Error(`two operations are named ${definition.name}`);
  const {
    name,
    summary,
    permission,
    errors = [],
    input,
    output,
    record = output,
    internal = false,
    optionalSession = false,
    outside = false,
  } = definition;
  const risk = kind === 'query' ? null : (definition.risk ?? null);
  const runWith = (parse: Parse<Input>) =>
    traced(name, guarded({ name, outside, risk, internal }, run(parse)));
  const allowDisabled = worksWhenDisabled(kind, definition);
  const operation: Operation<Input, Output> = {
    kind,
    name,
    summary,
    permission,
    errors,
    input,
    output,
    internal,
    allowDisabled,
    optionalSession,
    risk,
    hasDryRun: risk !== null && !outside && !internal && permissions[permission].scope !== 'public',
    run: runWith((raw) => parseInput(input, raw)),
    // Only commands return the record that they change, which clients may send back.
    runRaw: observed(
      definition,
      runWith((raw) => parseRequest(input, raw, kind === 'command' ? record : undefined)),
    ),
  };
  registered.set(name, operation as unknown as Operation);
  return operation;
}

/** The same as a part of the trace of its caller. */
const traced =
  <Output>(name: string, run: (ctx: Context, raw: unknown) => Promise<Output>): typeof run =>
  (ctx, raw) =>
    isTracing()
      ? span(name, { 'postrider.project_id': ctx.project?.id }, () => run(ctx, raw))
      : run(ctx, raw);

interface Guarded {
  name: string;
  outside: boolean;
  risk: Risk | null;
  internal: boolean;
}

/**
 * The same, after a person's consent where an agent needs it, and undone in a dry run. An operation that another one calls belongs to the
 * dry run of that one.
 */
const guarded =
  <Output>(
    { name, outside, risk, internal }: Guarded,
    run: (ctx: Context, raw: unknown) => Promise<Output>,
  ): typeof run =>
  async (ctx, raw) => {
    const { dryRun, idempotencyKey, approvedBy } = ctx.request;
    const isJudged = risk !== null && isAgent(ctx.actor) && approvedBy === undefined;
    if (isJudged && (risk === 'closed' || internal)) throw closedToAgents();
    if (!dryRun) {
      if (isJudged && !ctx.services.isRehearsal) await judgeAgent(ctx, name, raw);
      return run(ctx, raw);
    }
    if (outside) refuseDryRun();
    if (risk !== null && idempotencyKey !== undefined)
      throw badRequest('A dry run takes no idempotency key: it would not use it up');
    return risk === null || ctx.services.isRehearsal
      ? run(ctx, raw)
      : rehearse(ctx, (rehearsal) => run(rehearsal, raw));
  };

/** The same, telling the observer of the request what goes in and what comes out. */
const observed =
  <Input extends z.ZodType, Output extends z.ZodType>(
    operation: ObservedOperation,
    runRaw: Operation<Input, Output>['runRaw'],
  ): Operation<Input, Output>['runRaw'] =>
  async (ctx, raw) => {
    const { observer } = ctx.request;
    const call = observer?.began(operation, raw);
    const output = await runRaw(ctx, raw);
    observer?.ended(call, output);
    return output;
  };

type Parse<Input extends z.ZodType> = (raw: unknown) => z.output<Input>;

/** Reading: permission → parse → handler → output. */
export function query<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Definition<Input, Output, Context>,
): Operation<Input, Output> {
  return register('query', definition, (parse) => async (ctx, raw) => {
    assertPermission(ctx.actor, definition.permission);
    if (!worksWhenDisabled('query', definition)) assertProjectEnabled(ctx);
    const input = parse(raw);
    return definition.output.parse(await definition.handler(ctx, input));
  });
}

/**
 * send, track, open, click: the handler stores everything with one set-based statement, which concurrent requests share; no audit row.
 *
 * @see Services.scheduleFollowUps, called afterwards: starts the workflows that process the stored rows
 */
export function direct<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Definition<Input, Output, Context> & Writing,
): Operation<Input, Output> {
  return register('direct', definition, (parse) => async (ctx, raw) => {
    assertPermission(ctx.actor, definition.permission);
    if (!worksWhenDisabled('direct', definition)) assertProjectEnabled(ctx);
    const input = parse(raw);
    const output = definition.output.parse(await definition.handler(ctx, input));
    if (ctx.project) ctx.services.scheduleFollowUps(ctx.project.id);
    return output;
  });
}

/** An operation that changes data; another command may run it as a part of its own transaction. */
export interface Command<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends Operation<Input, Output> {
  /** In the transaction of `ctx`, with an audit row of its own; its effects follow the commit of that transaction. */
  within(ctx: CommandContext, input: z.input<Input>): Promise<z.output<Output>>;
}

interface CommandDefinition<Input extends z.ZodType, Output extends z.ZodType, Prepared>
  extends Omit<Definition<Input, Output, CommandContext>, 'handler'>,
    Writing {
  /** Slow work that must not hold a transaction open (hashing, making keys); runs once, however often that is repeated. */
  prepare?(ctx: Context, input: z.output<Input>): Promise<Prepared>;
  handler(ctx: CommandContext, input: z.output<Input>, prepared: Prepared): Promise<z.input<Output>>;
}

/**
 * People and keys changing things: permission → parse → prepare → transaction (repeated up to 3 times on deadlock or
 * serialization failure) → handler → audit row → commit → after-commit effects.
 *
 * @see Services.scheduleFollowUps, called after the effects: starts the workflows that process the changes
 */
export function command<Input extends z.ZodType, Output extends z.ZodType, Prepared = undefined>(
  definition: CommandDefinition<Input, Output, Prepared>,
): Command<Input, Output> {
  const ready = async (ctx: Context, raw: unknown, parse: Parse<Input>) => {
    assertPermission(ctx.actor, definition.permission);
    if (!worksWhenDisabled('command', definition)) assertProjectEnabled(ctx);
    const input = parse(raw);
    return { input, prepared: (await definition.prepare?.(ctx, input)) as Prepared };
  };
  const handle = async (ctx: Omit<CommandContext, 'audit'>, input: z.output<Input>, prepared: Prepared) => {
    const entries: AuditEntry[] = [];
    const audit = (entry: AuditEntry): void => void entries.push(entry);
    const output = await definition.handler({ ...ctx, audit }, input, prepared);
    await writeAudit(ctx.db, ctx, definition.name, entries);
    return output;
  };
  const operation = register('command', definition, (parse) => async (ctx, raw) => {
    const { input, prepared } = await ready(ctx, raw, parse);
    const { output, effects } = await inTransaction(ctx, async (db) => {
      const effects: (() => unknown)[] = [];
      const afterCommit = (effect: () => unknown): void => void effects.push(effect);
      const output = await handle({ ...ctx, db, afterCommit }, input, prepared);
      return { output, effects };
    });
    if (!ctx.services.isRehearsal) await Promise.all(effects.map(async (effect) => effect()));
    if (ctx.project) ctx.services.scheduleFollowUps(ctx.project.id);
    return definition.output.parse(output);
  });
  const whole: Command<Input, Output> = {
    ...operation,
    async within(ctx, raw) {
      const { input, prepared } = await ready(ctx, raw, (given) => parseInput(definition.input, given));
      return definition.output.parse(await handle(ctx, input, prepared));
    },
  };
  commands.set(definition.name, whole as unknown as Command);
  return whole;
}

const commands = new Map<string, Command>();

/** The command of that name; undefined for what is stored by a statement of its own. */
export const commandNamed = (name: string): Command | undefined => commands.get(name);

const inTransaction = <T>(ctx: Context, work: (db: Db) => Promise<T>): Promise<T> =>
  retryConflicts(() => ctx.services.database.prisma.$transaction(work, { maxWait: 10_000, timeout: 30_000 }));

async function writeAudit(db: Db, ctx: Context, operation: string, entries: AuditEntry[]): Promise<void> {
  const { actor } = ctx;
  const named = actor.type === 'key' ? actor.named : undefined;
  const { approvedBy } = ctx.request;
  const base = {
    operation,
    // Of an approved call the log names the person, and the key that asked.
    actorType: approvedBy === undefined ? actor.type : 'user',
    actorId: approvedBy ?? (actor.type === 'user' ? actor.userId : (named?.id ?? null)),
    keyId: actor.type === 'key' ? `${actor.key}:${actor.projectId}` : null,
    keyName: named?.name ?? null,
    requestId: ctx.request.id,
    ip: ctx.request.ip,
  };
  const rows: Partial<AuditEntry>[] = entries.length > 0 ? entries : [{}];
  await db.auditLog.createMany({
    data: rows.map((entry) => ({
      ...base,
      id: newId(),
      projectId: entry.projectId ?? ctx.project?.id ?? null,
      targetType: entry.targetType ?? null,
      targetId: entry.targetId ?? null,
      targetName: entry.name ?? null,
      changed: entry.changed ?? [],
    })),
  });
}
