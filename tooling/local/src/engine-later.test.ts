import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoAccess, demoAccess } from './demo.ts';
import { freePort } from './ports.ts';
import { type Stack, startStack } from './stack.ts';
import { startTemporal, type Temporal } from './temporal-server.ts';

/** On a new machine the Temporal server is made beside the product (behaviour B10): nothing is refused meanwhile, and nothing is lost. */
let folder: string;
let stack: Stack;
let access: DemoAccess;
let temporal: Temporal | undefined;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-later-'));
  await chmod(folder, 0o755);
  port = await freePort();
  stack = await startStack({
    ...{ dataDir: join(folder, 'data'), build: 'no-dashboard', throwAway: true, development: true },
    engineLater: true,
    env: { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, LOG_LEVEL: 'warn' },
  });
  const demo = await demoAccess(stack);
  if (!demo) throw new Error('no demo project');
  access = demo;
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await temporal?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** What is read of the answers. */
interface Body {
  id: string;
  status: string;
  data: { id: string };
  engine: object;
}

async function ask(path: string, body?: object): Promise<{ status: number; body: Body }> {
  const answer = await fetch(stack.urls.api + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${access.secretKey}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}
const mailbox = async (): Promise<number> =>
  ((await (await fetch(`${stack.urls.mailbox}/api/messages`)).json()) as { total: number }).total;
const statusOf = async (id: string) => (await ask(`/campaigns/${id}`)).body.status;

it('before Temporal is there email is sent and campaigns are accepted; once it is, they begin by themselves', async () => {
  expect(await ask('/health/ready')).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { temporal: 'starting' } },
  });
  const { from } = access;
  const email = { to: 'first@example.com', from, subject: 'First', body: '<p>Hello</p>' };
  expect((await ask('/v1/send', email)).status).toBe(200);
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(1);

  const { body: segment } = await ask('/segments', { name: 'Few', type: 'STATIC' });
  const emails = ['ann@few.example', 'ben@few.example'];
  for (const address of emails) await ask('/contacts', { email: address, subscribed: true });
  await ask(`/segments/${segment.id}/members`, { emails });
  const campaign = {
    ...{ name: 'Early', subject: 'Early', body: '<p>Hello</p>', from },
    ...{ audienceType: 'SEGMENT', segmentId: segment.id },
  };
  const { id } = (await ask('/campaigns', campaign)).body.data;
  expect((await ask(`/campaigns/${id}/send`, {})).status).toBe(200);
  const { id: cancelled } = (await ask('/campaigns', { ...campaign, name: 'Cancelled' })).body.data;
  expect((await ask(`/campaigns/${cancelled}/send`, {})).status).toBe(200);
  expect((await ask(`/campaigns/${cancelled}/cancel`, {})).status).toBe(200);
  expect(await statusOf(cancelled)).toBe('CANCELLED');

  temporal = await startTemporal({ port, dbFile: join(folder, 'temporal.db') });
  await expect.poll(() => statusOf(id), { timeout: 90_000 }).toBe('SENT');
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(3);
  await expect
    .poll(async () => (await ask('/config')).body.engine, { timeout: 30_000 })
    .toEqual({ state: 'ok', since: null });
  expect(await statusOf(cancelled)).toBe('CANCELLED');

  await temporal.kill();
  await expect
    .poll(async () => (await ask('/health/ready')).body.status, { timeout: 30_000 })
    .toBe('degraded');
  expect((await ask('/v1/send', { ...email, subject: 'Second' })).status).toBe(200);
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(4);
}, 300_000);
