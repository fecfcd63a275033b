import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { newId } from '../lib/ids.ts';
import type { Context } from './context.ts';
import { systemContext } from './context.ts';
import { AppError } from './errors.ts';
import { emptyObject, isoDate, requiredText } from './fields.ts';
import { command, direct, operationRegistry, query } from './operation.ts';

let test: TestServices;
let project: TestProject;
let disabled: Context;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  disabled = { ...project.ctx, project: { ...project.project, disabled: true } };
});
afterAll(() => test.close());

let made = 0;
const base = () => ({
  name: `test.operation${++made}`,
  summary: 'Only here to be run.',
  permission: 'data:write' as const,
  risk: 'none' as const,
  input: z.object({ name: requiredText(20) }),
  output: z.object({ name: z.string() }),
});

/** A row that a handler may write, to see whether it was committed. */
const insertUpload = (db: Context['db'], key: string) =>
  db.upload.create({
    data: { id: newId(), projectId: project.id, key, filename: 'f', contentType: 'text/plain', size: 1 },
  });
const stored = (key: string) => test.services.database.prisma.upload.count({ where: { key } });
const raise = (db: Context['db'], code: string) =>
  db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = 'planted'; END $$`);
const auditOf = (operation: string) =>
  test.services.database.prisma.auditLog.findMany({ where: { operation } });

describe('every operation', () => {
  it('has a unique name and is in the registry', () => {
    const operation = query({ ...base(), handler: async (_ctx, input) => input });
    expect(operationRegistry.get(operation.name)).toBe(operation);
    expect(() => query({ ...base(), name: operation.name, handler: async (_ctx, input) => input })).toThrow(
      operation.name,
    );
  });

  it.each(['query', 'command', 'direct'] as const)(
    '%s: checks the permission before it looks at the input, and the input before it runs',
    async (kind) => {
      let runs = 0;
      const definition = {
        ...base(),
        async handler(_ctx: Context, input: { name: string }) {
          runs += 1;
          return input;
        },
      };
      const makers = {
        query: () => query(definition),
        command: () => command(definition),
        direct: () => direct(definition),
      };
      const operation = makers[kind]();
      expect(operation.kind).toBe(kind);
      await expect(operation.runRaw(project.publicCtx, {})).rejects.toMatchObject({
        code: 'INVALID_API_KEY',
      });
      await expect(operation.runRaw(project.ctx, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(operation.runRaw(project.ctx, { name: ' Ada ', extra: true })).rejects.toMatchObject({
        errors: [{ field: 'extra', code: 'unsupported_field' }],
      });
      expect(runs).toBe(0);
      expect(await operation.runRaw(project.ctx, { name: ' Ada ' })).toEqual({ name: 'Ada' });
    },
  );

  it('returns the fields of its output schema, dates as ISO 8601', async () => {
    const operation = query({
      ...base(),
      input: emptyObject,
      output: z.object({ createdAt: isoDate }),
      handler: async () => ({ createdAt: new Date(0), secret: 'not for callers' }),
    });
    expect(await operation.run(project.ctx, {})).toEqual({ createdAt: '1970-01-01T00:00:00.000Z' });
  });
});

describe('the risk of an operation', () => {
  it('is stated by everything that changes something, or it does not compile', () => {
    const { risk: _, ...unstated } = base();
    const handler = async (_ctx: Context, input: { name: string }) => input;
    // @ts-expect-error a command without a risk
    expect(command({ ...unstated, handler }).risk).toBeNull();
    // @ts-expect-error the same for what is stored by one statement
    expect(direct({ ...unstated, name: `${unstated.name}b`, handler }).risk).toBeNull();
    expect(command({ ...base(), risk: 'mail', handler }).risk).toBe('mail');
  });

  it('is none of a query, which cannot state one', () => {
    const { risk: _, ...unstated } = base();
    // @ts-expect-error a query with a risk
    const operation = query({ ...unstated, risk: 'none', handler: async (_ctx, input) => input });
    expect(operation.risk).toBeNull();
  });
});

describe('a dry run', () => {
  const dry = (ctx: Context): Context => ({ ...ctx, request: { ...ctx.request, dryRun: true } });

  it('carries a command out and undoes it: no row, no audit row, no effect', async () => {
    let effects = 0;
    const operation = command({
      ...base(),
      async handler(ctx, { name }) {
        ctx.afterCommit(() => {
          effects += 1;
        });
        await insertUpload(ctx.db, name);
        return { name: `${await ctx.db.upload.count({ where: { key: name } })}` };
      },
    });
    expect(await operation.runRaw(dry(project.ctx), { name: 'rehearsed' })).toEqual({ name: '1' });
    expect(await stored('rehearsed')).toBe(0);
    expect(await auditOf(operation.name)).toEqual([]);
    expect(effects).toBe(0);
    await operation.runRaw(project.ctx, { name: 'rehearsed' });
    expect([await stored('rehearsed'), effects]).toEqual([1, 1]);
  });

  it('has the transaction of services too, and the other operations that it runs', async () => {
    const inner = command({
      ...base(),
      async handler(ctx, { name }) {
        await insertUpload(ctx.db, name);
        return { name };
      },
    });
    const operation = direct({
      ...base(),
      async handler(ctx, { name }) {
        await inner.run(ctx, { name });
        await insertUpload(ctx.services.database.prisma, name + name);
        return { name };
      },
    });
    await operation.runRaw(dry(project.ctx), { name: 'x' });
    expect([await stored('x'), await stored('xx')]).toEqual([0, 0]);
  });

  it('gives the refusal of the real call', async () => {
    const operation = command({
      ...base(),
      async handler() {
        throw new AppError('CONFLICT', 'planted');
      },
    });
    await expect(operation.runRaw(dry(project.ctx), { name: 'a' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(operation.runRaw(dry(project.ctx), {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each([
    ['asks another server', (ctx: Context) => ctx.services.workflows.request({} as never, {}, 'x', 1)],
    ['stores a file', (ctx: Context) => ctx.services.files.put('a', Buffer.from(''), 'text/plain')],
    ['sends a request', (ctx: Context) => ctx.services.http.send({} as never)],
  ])('is refused where it %s', async (_what, reach) => {
    const operation = command({
      ...base(),
      async handler(ctx, input) {
        await reach(ctx);
        return input;
      },
    });
    await expect(operation.runRaw(dry(project.ctx), { name: 'a' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('is refused beside an idempotency key, and by what is declared to reach outside', async () => {
    const echo = async (_ctx: Context, input: { name: string }) => input;
    const ctx = dry(project.ctx);
    const keyed = { ...ctx, request: { ...ctx.request, idempotencyKey: 'a' } };
    const refusal = { code: 'BAD_REQUEST' };
    const operation = direct({ ...base(), handler: echo });
    await expect(operation.runRaw(keyed, { name: 'a' })).rejects.toMatchObject(refusal);
    const outside = command({ ...base(), outside: true, handler: echo });
    await expect(outside.runRaw(ctx, { name: 'a' })).rejects.toMatchObject(refusal);
    expect([operation.hasDryRun, outside.hasDryRun]).toEqual([true, false]);
  });
});

describe('a disabled project', () => {
  const echo = async (_ctx: Context, input: { name: string }) => input;
  it('can be read, but not changed', async () => {
    const refusal = { code: 'PROJECT_DISABLED' };
    expect(await query({ ...base(), handler: echo }).run(disabled, { name: 'a' })).toEqual({ name: 'a' });
    await expect(command({ ...base(), handler: echo }).runRaw(disabled, {})).rejects.toMatchObject(refusal);
    await expect(direct({ ...base(), handler: echo }).runRaw(disabled, {})).rejects.toMatchObject(refusal);
  });

  it('can be changed by the system and by operations allowed for disabled projects', async () => {
    const system = systemContext(test.services, { project: disabled.project });
    expect(await command({ ...base(), handler: echo }).run(system, { name: 'a' })).toEqual({ name: 'a' });
    const allowed = command({ ...base(), allowDisabled: true, handler: echo });
    expect(await allowed.run(disabled, { name: 'a' })).toEqual({ name: 'a' });
  });
});

describe('a command', () => {
  it('commits its changes together with an audit row, then runs its effects', async () => {
    const seen: number[] = [];
    const operation = command({
      ...base(),
      async handler(ctx, { name }) {
        ctx.afterCommit(async () => void seen.push(await stored(name)));
        await insertUpload(ctx.db, name);
        seen.push(await stored(name));
        ctx.audit({ targetType: 'upload', targetId: name, changed: ['filename'] });
        return { name };
      },
    });
    await operation.run(project.ctx, { name: 'committed' });
    expect(seen).toEqual([0, 1]);
    expect(await auditOf(operation.name)).toEqual([
      expect.objectContaining({
        projectId: project.id,
        actorType: 'key',
        actorId: null,
        keyId: `secret:${project.id}`,
        requestId: project.ctx.request.id,
        targetType: 'upload',
        targetId: 'committed',
        changed: ['filename'],
      }),
    ]);
  });

  it('names the user in the audit row', async () => {
    const operation = command({ ...base(), handler: async (_ctx, input) => input });
    await operation.run(await project.userCtx('OWNER'), { name: 'a' });
    expect(await auditOf(operation.name)).toEqual([
      expect.objectContaining({ actorType: 'user', actorId: project.ownerId, keyId: null, targetId: null }),
    ]);
  });

  it('that fails leaves nothing behind: no row, no audit row, no effect', async () => {
    let effects = 0;
    const operation = command({
      ...base(),
      async handler(ctx, { name }) {
        ctx.afterCommit(() => {
          effects += 1;
        });
        await insertUpload(ctx.db, name);
        throw new AppError('CONFLICT', 'refused');
      },
    });
    await expect(operation.run(project.ctx, { name: 'rolled back' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect([await stored('rolled back'), effects, (await auditOf(operation.name)).length]).toEqual([0, 0, 0]);
  });

  it.each([
    ['deadlock', '40P01'],
    ['serialization failure', '40001'],
  ])('is repeated after a %s: prepared once, stored once, effects once', async (_what, code) => {
    const counts = { prepared: 0, handled: 0, effects: 0 };
    const name = `repeated ${code}`;
    const operation = command({
      ...base(),
      async prepare() {
        counts.prepared += 1;
        return 'prepared';
      },
      async handler(ctx, input, prepared) {
        counts.handled += 1;
        expect(prepared).toBe('prepared');
        ctx.afterCommit(() => {
          counts.effects += 1;
        });
        await insertUpload(ctx.db, input.name);
        if (counts.handled < 3) await raise(ctx.db, code);
        return input;
      },
    });
    await operation.run(project.ctx, { name });
    expect(counts).toEqual({ prepared: 1, handled: 3, effects: 1 });
    expect([await stored(name), (await auditOf(operation.name)).length]).toEqual([1, 1]);
  });

  it.each([
    ['a third deadlock', '40P01', 3],
    ['a broken constraint', '23514', 1],
  ])('gives up after %s', async (_what, code, runs) => {
    let handled = 0;
    const operation = command({
      ...base(),
      async handler(ctx, input) {
        handled += 1;
        await raise(ctx.db, code);
        return input;
      },
    });
    await expect(operation.run(project.ctx, { name: 'a' })).rejects.toThrow();
    expect(handled).toBe(runs);
  });

  it('prepares outside of the transaction, after permission and input', async () => {
    const order: string[] = [];
    const operation = command({
      ...base(),
      async prepare(ctx) {
        order.push(ctx.db === test.services.database.prisma ? 'outside' : 'inside');
      },
      async handler(ctx, input) {
        order.push(ctx.db === test.services.database.prisma ? 'outside' : 'inside');
        return input;
      },
    });
    await expect(operation.runRaw(project.ctx, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await operation.run(project.ctx, { name: 'a' });
    expect(order).toEqual(['outside', 'inside']);
  });
});

it('a direct operation leaves no audit row', async () => {
  const operation = direct({ ...base(), handler: async (_ctx, input) => input });
  await operation.run(project.ctx, { name: 'a' });
  expect(await auditOf(operation.name)).toEqual([]);
});
