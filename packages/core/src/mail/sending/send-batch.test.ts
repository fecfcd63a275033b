import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AppError,
  type Context,
  defaultSuggestions,
  idsOf,
  redact,
  statusOfKind,
} from '../../base/kernel/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import { getEmail } from './get-email.ts';
import { sendBatch } from './send-batch.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await someProject();
});

const from = 'team@shop.test';
const prisma = () => test.services.database.prisma;
const item = (to: unknown, more: object = {}) => ({
  to,
  from,
  subject: 'S',
  body: '<p>Hi {{name}}</p>',
  ...more,
});
const batch = (emails: unknown, more: object = {}, ctx: Context = project.ctx) =>
  sendBatch.runRaw(ctx, { emails, ...more });
const withKey = (idempotencyKey: string, ctx = project.ctx): Context => ({
  ...ctx,
  request: { ...ctx.request, idempotencyKey, bodyDigest: 'sha-256=:abc:' },
});
const emails = (projectId = project.id) =>
  prisma().email.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

async function someProject(): Promise<TestProject> {
  const made = await createTestProject(test.services);
  await verifiedDomain(test.services, made.id, 'shop.test');
  await prisma().suppression.create({
    data: { projectId: made.id, email: 'blocked@people.test', reason: 'MANUAL' },
  });
  for (const [name, type] of [
    ['offer', 'MARKETING'],
    ['receipt', 'TRANSACTIONAL'],
  ] as const)
    await createTemplate.run(made.ctx, { name, alias: name, type, subject: 'T', body: 'Hi {{name}}', from });
  return made;
}

/** What a single send answers for an item, in the form of a result. */
async function single(ctx: Context, body: unknown, index: number): Promise<object> {
  try {
    const { emails: made, warnings } = await sendEmail.runRaw(ctx, body);
    return { index, status: 'ACCEPTED', emails: made, ...(warnings && { warnings }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, kind, message, errors, details, suggestion } = error;
    return {
      index,
      status: 'REFUSED',
      error: {
        ...{ code, message, statusCode: statusOfKind[kind] },
        ...(errors && { errors }),
        ...(details && { details }),
        suggestion: suggestion ?? defaultSuggestions[kind],
      },
    };
  }
}

/** Without what differs from call to call: ids and times. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, part) =>
      ['email', 'id', 'estimatedSendAt'].includes(key) && typeof part === 'string' && !part.includes('@')
        ? '…'
        : part,
    ),
  );

const refusals: [kind: string, body: object][] = [
  ['no recipient', { ...item('x@people.test'), to: undefined }],
  ['an unknown field', item('x@people.test', { htmll: 'x' })],
  ['text that cannot be stored', item('x@people.test', { subject: 'a\0b' })],
  ['an unknown template', item('x@people.test', { template: 'nothing' })],
  ['a template that is no template', item('x@people.test', { body: '{% if %}' })],
  ['a sender that is not verified', item('x@people.test', { from: 'team@other.test' })],
  ['marketing to who has not subscribed', item(['n1@people.test', 'n2@people.test'], { template: 'offer' })],
  ['a variable without a value', item('x@people.test', { body: '{{data.city}}', strictVariables: true })],
  ['copies of several messages', item(['x@people.test', 'y@people.test'], { cc: 'z@people.test' })],
  [
    'more data than a contact holds',
    item('x@people.test', {
      data: Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`k${n}`, 'x'.repeat(1_000)])),
    }),
  ],
];

const accepted = (n: number): object => {
  const kinds = [
    item(`a${n}@people.test`, { data: { name: `N${n}`, plan: n % 2 === 0 ? 'pro' : null } }),
    item([`b${n}@people.test`, { email: `c${n}@people.test`, name: 'Cee' }], {
      tags: ['one'],
      metadata: { order: n },
    }),
    item(`a${n - 1}@people.test`, { template: 'receipt', data: { seen: n } }),
    item(`d${n}@people.test`, { cc: `boss${n}@corp.test`, bcc: 'blocked@people.test' }),
    item('blocked@people.test'),
    item(`e${n}@people.test`, { attachments: [{ filename: 'a.txt', content: 'aGk=' }] }),
    item(`f${n}@people.test`, { strictVariables: true, body: '{{data.city}}', data: { city: 'Rome' } }),
    item(`g${n}@people.test`, { template: 'offer', subscribed: true }),
  ];
  return kinds[n % kinds.length] ?? {};
};

it('the results of 60 items with refusals of many kinds are those of 60 single sends, in order', async () => {
  const items = Array.from({ length: 60 }, (_, n) =>
    n % 4 === 3 ? (refusals[(n >> 2) % refusals.length]?.[1] ?? {}) : accepted(n),
  );
  const reply = await batch(items);
  const other = await someProject();
  const singles: object[] = [];
  for (const [n, each] of items.entries()) singles.push(await single(other.ctx, each, n));
  expect(comparable(reply.results)).toEqual(comparable(singles));
  expect(reply.refused).toBe(15);
  expect(reply.accepted).toBe(45);
  const stored = async (projectId: string) => {
    const contacts = await prisma().contact.findMany({ where: { projectId }, orderBy: { email: 'asc' } });
    return {
      contacts: contacts.map(({ email, data, subscribed }) => ({ email, data, subscribed })),
      emails: (await emails(projectId)).map(
        ({ to, vars, status, reason, tags, metadata, recipientType }) => ({
          to,
          vars,
          status,
          reason,
          tags,
          metadata,
          recipientType,
        }),
      ),
      events: (
        await prisma().event.groupBy({
          by: ['name'],
          where: { projectId },
          _count: true,
          orderBy: { name: 'asc' },
        })
      ).map(({ name, _count }) => ({ name, _count })),
    };
  };
  expect(await stored(project.id)).toEqual(await stored(other.id));
});

it.each(refusals)('a refused item stores nothing, and its neighbours are stored: %s', async (_kind, body) => {
  const { results, accepted: count } = await batch([
    item('first@people.test'),
    body,
    item('last@people.test'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['ACCEPTED', 'REFUSED', 'ACCEPTED']);
  expect(count).toBe(2);
  expect((await emails()).map(({ to }) => to)).toEqual(['first@people.test', 'last@people.test']);
  expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(2);
});

it('an item that is no object is refused like such a body', async () => {
  const { results } = await batch([null, 'x', [], item('a@people.test')]);
  expect(results.map(({ error }) => error?.statusCode ?? null)).toEqual([400, 400, 400, null]);
  expect(results[0]?.error?.code).toBe('INVALID_REQUEST_BODY');
});

it('ten items for one address find the data as if sent one after another', async () => {
  await batch(
    Array.from({ length: 10 }, (_, n) =>
      item('ann@people.test', { data: { [`k${n % 3}`]: n, n: n === 5 ? null : n } }),
    ),
  );
  const other = await someProject();
  for (let n = 0; n < 10; n += 1)
    await sendEmail.runRaw(
      other.ctx,
      item('ann@people.test', { data: { [`k${n % 3}`]: n, n: n === 5 ? null : n } }),
    );
  const varsOf = async (projectId: string) => (await emails(projectId)).map(({ vars }) => vars);
  expect(await varsOf(project.id)).toEqual(await varsOf(other.id));
});

describe('the request as a whole', () => {
  const atEmails = (code: string) => ({
    code: 'VALIDATION_ERROR',
    errors: [expect.objectContaining({ field: 'emails', code })],
  });
  const many = (length: number, more: object = {}) =>
    Array.from({ length }, (_, n) => item(`m${n}@people.test`, more));

  it.each([
    ['none', undefined, 'required'],
    ['an empty list', [], 'too_small'],
    ['more than 1,000 items', many(1_001), 'too_big'],
    ['more than 1,000 emails, copies included', many(501, { cc: 'c@people.test' }), 'too_big'],
  ])('is refused for %s', async (_what, given, code) => {
    await expect(batch(given)).rejects.toMatchObject(atEmails(code));
    expect(await emails()).toEqual([]);
  });

  it('counts as one request for each 50 items begun', async () => {
    const charged: number[] = [];
    const charge = async (further: number) => void charged.push(further);
    const ctx = { ...project.ctx, request: { ...project.ctx.request, charge } };
    for (const length of [1, 50, 51, 120]) await batch(many(length), {}, ctx);
    expect(charged).toEqual([0, 0, 1, 2]);
  });

  it('waits for single sends: its emails are claimed after theirs', async () => {
    await batch([item('a@people.test')]);
    await sendEmail.runRaw(project.ctx, item('b@people.test'));
    const batches = await prisma().deliveryBatch.findMany({
      where: { projectId: project.id },
      orderBy: { id: 'asc' },
    });
    expect(batches.map(({ priority }) => priority)).toEqual([2, 1]);
  });
});

describe('atomic', () => {
  it('stores nothing at all when items are refused, and names them with the error of the first', async () => {
    const failing = batch(
      [
        item('a@people.test'),
        item('b@people.test', { from: 'x@other.test' }),
        item('c@people.test', { to: undefined }),
      ],
      { atomic: true },
      withKey('k'),
    );
    await expect(failing).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      kind: 'forbidden',
      details: {
        reason: 'DOMAIN_NOT_VERIFIED',
        results: [
          { index: 1, status: 'REFUSED', error: { statusCode: 403 } },
          { index: 2, status: 'REFUSED', error: { statusCode: 422, code: 'VALIDATION_ERROR' } },
        ],
      },
    });
    expect(await emails()).toEqual([]);
    expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(0);
    expect((await batch([item('a@people.test')], { atomic: true }, withKey('k'))).accepted).toBe(1);
  });
});

describe('an idempotency key', () => {
  it('covers the request, and the refusal of a repeated one names exactly what is stored', async () => {
    const items = [
      item('a@people.test', { cc: 'b@people.test' }),
      item('x@people.test', { to: undefined }),
      item('c@people.test'),
    ];
    const { results } = await batch(items, {}, withKey('orders'));
    await expect(batch(items, {}, withKey('orders'))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: {
        originalRequest: 'POST /v1/send/batch',
        originalDigest: 'sha-256=:abc:',
        results: results.map(({ index, status, emails: made }) => ({
          ...{ index, status },
          ...(made && { emails: made.map(({ email, to }) => expect.objectContaining({ email, to })) }),
        })),
      },
    });
    expect((await emails()).length).toBe(3);
  });

  it('stays free when every item is refused', async () => {
    const refused = [item('a@people.test', { from: 'x@other.test' })];
    expect((await batch(refused, {}, withKey('free'))).refused).toBe(1);
    expect((await batch([item('a@people.test')], {}, withKey('free'))).accepted).toBe(1);
  });

  it('makes one batch of ten at once', async () => {
    const items = Array.from({ length: 30 }, (_, n) => item(`u${n}@people.test`));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => batch(items, {}, withKey('once'))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await emails()).length).toBe(30);
  });
});

it('an item whose contact another transaction holds waits for it', async () => {
  await batch([item('held@people.test', { data: { n: 1 } })]);
  const client = await test.services.database.durable.connect();
  await client.query('BEGIN');
  await client.query(
    `UPDATE "Contact" SET "data" = '{"n": 7}' WHERE "email" = 'held@people.test' AND "projectId" = '${project.id}'`,
  );
  const waiting = batch([
    item('a@people.test'),
    item('held@people.test', { data: { m: 2 } }),
    item('b@people.test'),
  ]);
  await waitForLock(test.services.database);
  await client.query('COMMIT');
  client.release();
  expect((await waiting).accepted).toBe(3);
  const held = await prisma().contact.findFirstOrThrow({
    where: { projectId: project.id, email: 'held@people.test' },
  });
  expect(held.data).toEqual({ n: 7, m: 2 });
});

it('batches that change the same contacts in another order are all stored', async () => {
  const addresses = Array.from({ length: 20 }, (_, n) => `s${n}@people.test`);
  await batch(addresses.map((to) => item(to)));
  const runs = Array.from({ length: 8 }, (_, run) => {
    const order = run % 2 === 0 ? addresses : addresses.toReversed();
    // The second round of each makes it wait for what the others hold.
    return batch([...order, ...order.toReversed()].map((to, n) => item(to, { data: { [`r${run}`]: n } })));
  });
  for (const { accepted: count } of await Promise.all(runs)) expect(count).toBe(40);
  expect((await emails()).length).toBe(20 + 8 * 40);
});

describe('with a cap', () => {
  let capped: TestServices;
  afterEach(() => capped.close());

  it('the items that no longer fit are refused, those before them are accepted', async () => {
    capped = await createTestServices({ env: { NEW_PROJECT_RAMP: '3' } });
    const made = await createTestProject(capped.services);
    await verifiedDomain(capped.services, made.id, 'shop.test');
    const { results } = await sendBatch.runRaw(made.ctx, {
      emails: [
        item('a@people.test'),
        item(['b@people.test', 'c@people.test', 'd@people.test']),
        item('e@people.test'),
        item('f@people.test'),
        item('g@people.test'),
      ],
    });
    expect(results.map(({ error }) => error?.statusCode ?? 200)).toEqual([200, 429, 200, 200, 429]);
    expect(results[4]?.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { limit: 3 } });
  });
});

it('a batch whose connections are killed at any moment, and repeated with its key, is stored once', async () => {
  const { prisma: own } = test.services.database;
  for (let round = 0; round < 12; round += 1) {
    const to = (n: number) => `r${round}-${n}@people.test`;
    const items = Array.from({ length: 60 }, (_, n) => item(to(n), n % 7 === 0 ? { data: { n } } : {}));
    const ctx = withKey(`round-${round}`);
    const killing = (async () => {
      await pause(round * 3);
      await own.$queryRaw`
        SELECT count(pg_terminate_backend(pid))::int FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`.catch(
        () => undefined,
      );
    })();
    const settled = await batch(items, {}, ctx).then(
      () => 'stored',
      () => 'failed',
    );
    await killing;
    const repeated = await batch(items, {}, ctx).then(
      ({ results }) => results.flatMap(({ emails: made = [] }) => made.map(({ email }) => email)),
      (error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
        const { results } = error.details as { results: { emails: { email: string }[] }[] };
        return results.flatMap(({ emails: made }) => made.map(({ email }) => email));
      },
    );
    const stored = (await emails()).filter((row) => row.to.startsWith(`r${round}-`));
    expect(
      stored.map(({ id }) => id),
      `${round}: ${settled}`,
    ).toEqual(repeated.toSorted());
    expect(new Set(stored.map((row) => row.to)).size).toBe(60);
  }
});

it('every email of a batch is read by its id', async () => {
  const { results } = await batch([
    item('a@people.test', { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }),
  ]);
  const id = results[0]?.emails?.[0]?.email ?? '';
  expect(await getEmail.run(project.ctx, { id })).toMatchObject({ status: 'SCHEDULED', to: 'a@people.test' });
});

it('the request log shows its items without their texts, and finds it by at most ten emails', async () => {
  const given = { emails: [item('ann@people.test', { cc: 'boss@corp.test', data: { plan: 'planted' } })] };
  expect(redact(sendBatch.input, given, 4_096)).toEqual({
    emails: [
      {
        to: 'a…@people.test',
        from: 't…@shop.test',
        subject: { length: 1 },
        body: { length: 18 },
        cc: 'b…@corp.test',
        data: { plan: { length: 7 } },
      },
    ],
  });
  const reply = await batch(Array.from({ length: 20 }, (_, n) => item(`l${n}@people.test`)));
  const { emailIds } = idsOf(sendBatch.output, reply, 4_096);
  expect(emailIds).toEqual(reply.results.slice(0, 10).map(({ emails: made }) => made?.[0]?.email));
});

it('a connection that is killed while the batch waits for a contact leaves nothing of it, and its key free', async () => {
  await batch([item('held@people.test', { data: { n: 1 } })]);
  const { durable } = test.services.database;
  const holder = await durable.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM "Contact" WHERE "email" = $1 AND "projectId" = $2 FOR UPDATE', [
    'held@people.test',
    project.id,
  ]);
  const items = [item('a@people.test'), item('held@people.test', { data: { m: 2 } }), item('b@people.test')];
  const failing = batch(items, {}, withKey('killed'));
  const failed = expect(failing).rejects.toThrow();
  await waitForLock(test.services.database);
  await prisma().$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await failed;
  await holder.query('ROLLBACK');
  holder.release();
  expect((await emails()).map(({ to }) => to)).toEqual(['held@people.test']);
  expect((await batch(items, {}, withKey('killed'))).accepted).toBe(3);
  expect((await emails()).length).toBe(4);
});
