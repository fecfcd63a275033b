import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedApi, serveApi } from './served-api.ts';

/** Behaviour B8: limits, idempotency keys and caps hold over all api processes of a database together. */
let test: TestServices;
let servers: ServedApi[];
let project: TestProject;
let from: string;

beforeAll(async () => {
  test = await createTestServices();
  const env = { RATE_LIMIT_PER_MINUTE: '300', STRIPE_SECRET_KEY: 'sk_test_unused' };
  servers = await Promise.all([serveApi(test.services, env), serveApi(test.services, env)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await test.close();
});

async function freshProject(): Promise<void> {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, `${project.id}.test`);
  from = `a@${project.id}.test`;
}

/** Request number `index` goes to one server or the other by turns. */
async function ask(index: number, path: string, body: object | null, headers: Record<string, string> = {}) {
  const server = servers[index % servers.length];
  const answer = await fetch(`${server?.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${project.secretKey}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape of a response and do not rely on its type
  return { status: answer.status, body: (await answer.json()) as any };
}

const mail = (to: string) => ({ to, subject: 'S', body: '<p>B</p>', from });
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const counted = (statuses: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(statuses, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );
const emails = () => test.services.database.prisma.email.count({ where: { projectId: project.id } });

describe('two api processes', () => {
  it('count the requests of a project together', async () => {
    await freshProject();
    const answers = await times(320, (index) => ask(index, '/contacts?limit=1', null));
    expect(counted(answers)).toEqual({ 200: 300, 429: 20 });
  });

  it('accept one of 50 parallel sends with one idempotency key', async () => {
    await freshProject();
    const answers = await times(50, (index) =>
      ask(index, '/v1/send', mail(`${index}@people.test`), { 'idempotency-key': 'once' }),
    );
    expect(counted(answers)).toEqual({ 200: 1, 409: 49 });
    expect(new Set(answers.flatMap(({ body }) => body.error?.code ?? []))).toEqual(
      new Set(['IDEMPOTENCY_KEY_REUSED']),
    );
    expect(await emails()).toBe(1);
  });

  it('accept exactly as many of 200 parallel sends as fit below a cap', async () => {
    await freshProject();
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { subscription: 'sub_1', billingLimitTransactional: 60 },
    });
    const answers = await times(200, (index) => ask(index, '/v1/send', mail(`${index}@people.test`)));
    expect(counted(answers)).toEqual({ 200: 60, 402: 140 });
    expect(await emails()).toBe(60);
  });
});
