import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { waitForLock } from '@postrider/core/testing/wait-for-lock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, startApp, type TestApp } from './harness.ts';

/** Requests that arrive together share a statement. */
let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '10000' });
});
afterAll(() => test.close());

const count = 200;
const numbers = Array.from({ length: count }, (_, index) => index);

async function newProject(): Promise<TestProject> {
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  return project;
}

const base = { from: 'team@shop.test', subject: 'Hello {{name}}', body: '<p>Hello</p>' };

const rowsOf = async ({ id }: TestProject): Promise<Record<string, number>> => {
  const { rows } = await test.services.database.durable.query(
    `SELECT (SELECT count(*)::int FROM "Email" WHERE "projectId" = $1) AS emails,
       (SELECT coalesce(sum(cardinality("emailIds")), 0)::int FROM "DeliveryBatch" WHERE "projectId" = $1) AS deliveries,
       (SELECT count(*)::int FROM "Contact" WHERE "projectId" = $1) AS contacts,
       (SELECT count(*)::int FROM "Content" WHERE "projectId" = $1) AS contents,
       (SELECT count(*)::int FROM "IdempotencyKey" WHERE "projectId" = $1) AS keys`,
    [id],
  );
  return rows[0];
};

interface Refused {
  body?: object;
  key?: string;
  status: number;
  code: string;
  text?: string;
}

/** One way to be refused, with what it needs in the project. */
const refusals: [string, (project: TestProject) => Promise<Refused>][] = [
  [
    'an unverified sender',
    async () => ({
      body: { from: 'a@other.test' },
      status: 403,
      code: 'INTERNAL_SERVER_ERROR',
      text: 'other.test',
    }),
  ],
  [
    'an unsubscribed recipient of marketing',
    async (project) => {
      const template = await test.withKey(project.secretKey)('POST', '/templates', {
        ...base,
        name: 'News',
        type: 'MARKETING',
      });
      return {
        body: { template: template.body.id },
        status: 400,
        code: 'BAD_REQUEST',
        text: 'is not subscribed',
      };
    },
  ],
  [
    'too much data on the contact',
    async (project) => {
      const before = { email: 'refused@people.test', data: { one: 'x'.repeat(40_000) } };
      await test.withKey(project.secretKey)('POST', '/contacts', before);
      return {
        body: { data: { two: 'x'.repeat(40_000) } },
        status: 422,
        code: 'VALIDATION_ERROR',
        text: '64 KiB',
      };
    },
  ],
  [
    'an idempotency key that another request of the group uses',
    async (project) => {
      // The first of them succeeds before the burst, so that it is known which ones do not.
      await test.withKey(project.secretKey)(
        'POST',
        '/v1/send',
        { ...base, to: 'first@people.test' },
        {
          'idempotency-key': 'once',
        },
      );
      return { key: 'once', status: 409, code: 'IDEMPOTENCY_KEY_REUSED', text: 'POST /v1/send' };
    },
  ],
  [
    'an error of the statement itself',
    async (project) => {
      const name = `refuse_${project.id.replaceAll('-', '')}`;
      await test.services.database.durable.query(`
        CREATE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION USING ERRCODE = '22003', MESSAGE = 'planted'; END $$;
        CREATE TRIGGER "${name}" BEFORE INSERT ON "Email" FOR EACH ROW
          WHEN (NEW."projectId" = '${project.id}' AND NEW."to" LIKE 'refused%') EXECUTE FUNCTION "${name}"()`);
      return { status: 500, code: 'INTERNAL_SERVER_ERROR', text: 'unexpected' };
    },
  ],
];

describe('200 sends at once, of which every tenth is refused', () => {
  it.each(refusals)(
    'by %s: each has its own answer, and exactly the others are stored',
    async (_what, plant) => {
      const project = await newProject();
      const refused = await plant(project);
      const before = await rowsOf(project);
      const send = test.withKey(project.secretKey);
      const answers = await Promise.all(
        numbers.map((n) => {
          const isRefused = n % 10 === 0;
          const to = `${isRefused ? 'refused' : `fine${n}`}@people.test`;
          const body = { ...base, to, ...(isRefused ? refused.body : {}) };
          return send(
            'POST',
            '/v1/send',
            body,
            isRefused && refused.key ? { 'idempotency-key': refused.key } : {},
          );
        }),
      );
      const refusedAnswers = answers.filter((_, n) => n % 10 === 0);
      for (const answer of refusedAnswers) {
        expect([answer.status, codeOf(answer)]).toEqual([refused.status, refused.code]);
        expect(answer.text).toContain(refused.text);
      }
      const fine = answers.filter((_, n) => n % 10 !== 0);
      expect(new Set(fine.map(({ status }) => status))).toEqual(new Set([200]));
      for (const [n, answer] of answers.entries())
        if (n % 10 !== 0) expect(answer.body.data.emails[0].contact.email).toBe(`fine${n}@people.test`);
      const after = await rowsOf(project);
      const grown = Object.fromEntries(
        Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
      );
      expect({ ...grown, contents: after['contents'] }).toEqual({
        emails: 180,
        deliveries: 180,
        contacts: 180,
        contents: 1,
        keys: 0,
      });
      const ids = new Set(fine.map(({ body }) => body.data.emails[0].email));
      expect(ids.size).toBe(180);
    },
  );
});

/** How many answers have each status. */
const statusesOf = (answers: Answer[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      status,
      all?.length ?? 0,
    ]),
  );

describe('one idempotency key', () => {
  it('in 200 concurrent sends is used once: the others get 409', async () => {
    const project = await newProject();
    const send = test.withKey(project.secretKey);
    const answers = await Promise.all(
      numbers.map((n) =>
        send('POST', '/v1/send', { ...base, to: `p${n}@people.test` }, { 'idempotency-key': 'same' }),
      ),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 199 });
    expect(await rowsOf(project)).toMatchObject({ emails: 1, contacts: 1, keys: 1 });
  });

  it('stays free when its request is refused, for a concurrent one that is not', async () => {
    const project = await newProject();
    const send = test.withKey(project.secretKey);
    const answers = await Promise.all(
      ['a@other.test', base.from].map((from) =>
        send('POST', '/v1/send', { ...base, from, to: 'a@people.test' }, { 'idempotency-key': 'same' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
  });
});

describe('one address', () => {
  it('in 200 concurrent sends with different data ends with the data of all', async () => {
    const project = await newProject();
    const send = test.withKey(project.secretKey);
    const answers = await Promise.all(
      numbers.map((n) => send('POST', '/v1/send', { ...base, to: 'a@people.test', data: { [`k${n}`]: n } })),
    );
    expect(statusesOf(answers)).toEqual({ 200: count });
    expect(await rowsOf(project)).toMatchObject({ emails: count, deliveries: count, contacts: 1 });
    const { data } = await test.services.database.prisma.contact.findFirstOrThrow({
      where: { projectId: project.id },
    });
    expect(data).toEqual(Object.fromEntries(numbers.map((n) => [`k${n}`, n])));
  });
});

it('the rate limit counts concurrent requests exactly', async () => {
  const project = await newProject();
  const send = test.withKey(project.secretKey);
  const answers = await Promise.all(
    numbers.map((n) => send('POST', '/v1/send', { ...base, to: `p${n}@people.test` })),
  );
  const left = answers.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => b - a);
  expect(left).toEqual(numbers.map((n) => 9_999 - n));
  const { rows } = await test.services.database.durable.query(
    `SELECT "count" FROM "RateWindow" WHERE "projectId" = $1 AND "keyType" = 'secret'`,
    [project.id],
  );
  expect(rows).toEqual([{ count }]);
});

it('a contact that another transaction holds delays its own request only', async () => {
  const project = await newProject();
  const send = test.withKey(project.secretKey);
  await send('POST', '/contacts', { email: 'held@people.test' });
  const client = await test.services.database.durable.connect();
  let held: Promise<Answer>;
  try {
    await client.query('BEGIN');
    await client.query(
      `SELECT FROM "Contact" WHERE "projectId" = $1 AND "email" = 'held@people.test' FOR UPDATE`,
      [project.id],
    );
    let isAnswered = false;
    held = send('POST', '/v1/send', { ...base, to: 'held@people.test', data: { a: 1 } }).finally(() => {
      isAnswered = true;
    });
    const others = await Promise.all(
      numbers.map((n) => send('POST', '/v1/send', { ...base, to: `p${n}@people.test` })),
    );
    expect(statusesOf(others)).toEqual({ 200: count });
    expect(isAnswered).toBe(false);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect((await held).status).toBe(200);
});

it('200 concurrent events of ten contacts are all stored, each with its answer', async () => {
  const project = await newProject();
  const track = test.withKey(project.publicKey);
  const answers = await Promise.all(
    numbers.map((n) =>
      track('POST', '/v1/track', {
        email: `p${n % 10}@people.test`,
        event: n % 20 === 3 ? 'email.sent' : 'clicked',
        data: { n },
      }),
    ),
  );
  expect(statusesOf(answers)).toEqual({ 200: 190, 422: 10 });
  const events = await test.services.database.prisma.event.findMany({
    where: { projectId: project.id },
  });
  const stored = new Map(events.map((event) => [event.id, event]));
  for (const [n, { status, body }] of answers.entries()) {
    if (status !== 200) continue;
    expect(stored.get(body.data.event)).toMatchObject({ contactId: body.data.contact, data: { n } });
    expect(stored.get(body.data.event)?.createdAt.toISOString()).toBe(body.data.timestamp);
  }
  expect(stored.size).toBe(190);
  expect(await rowsOf(project)).toMatchObject({ contacts: 10 });
});

/** Holds a lock on which every send waits, while `work` runs. */
async function whileSendsWait<T>(work: () => Promise<T>): Promise<T> {
  const client = await test.services.database.durable.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE "Email" IN SHARE ROW EXCLUSIVE MODE');
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

it('too many waiting sends of a project are refused with 429; all others are stored', async () => {
  const project = await newProject();
  const send = test.withKey(project.secretKey);
  const many = 3_000;
  let answers: Promise<Answer>[] = [];
  await whileSendsWait(async () => {
    answers = Array.from({ length: many }, (_, n) =>
      send('POST', '/v1/send', { ...base, to: `p${n}@people.test` }),
    );
    await Promise.race(answers);
  });
  const all = await Promise.all(answers);
  const refused = all.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused)
    expect([answer.status, codeOf(answer), answer.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      '1',
    ]);
  expect(all.length - refused.length).toBeGreaterThanOrEqual(2_000);
  expect(await rowsOf(project)).toMatchObject({
    emails: many - refused.length,
    contacts: many - refused.length,
  });
});

it('a client that disconnects while its send waits changes nothing: the send is stored', async () => {
  const project = await newProject();
  const url = await test.app.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  const post = (to: string, signal?: AbortSignal) =>
    fetch(`${url}/v1/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...base, to }),
      ...(signal ? { signal } : {}),
    });
  await whileSendsWait(async () => {
    const left = post('left@people.test', leaving.signal);
    await waitForLock(test.services.database);
    leaving.abort();
    await expect(left).rejects.toThrow();
  });
  expect((await post('stayed@people.test')).status).toBe(200);
  await expect.poll(() => rowsOf(project)).toMatchObject({ emails: 2, contacts: 2 });
});
