import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoAccess, demoAccess } from './demo.ts';
import { freePort } from './ports.ts';
import { type Stack, startStack } from './stack.ts';
import { startTemporal, type Temporal } from './temporal-server.ts';

/**
 * On a new machine the Temporal server is made beside the product (behaviour B10), and later it can be away: nothing is refused
 * meanwhile, what waits says so, and it begins by itself (behaviour B2.13).
 */
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
  jobId: string;
  status: string;
  state: string;
  waitsFor: string | null;
  requeued: number;
  failedCount: number;
  memberCount: number;
  count: number;
  secret: string;
  data: Body;
  result: { data: { running: boolean; waitsFor: string | null } };
  engine: object;
}

interface Asked {
  body?: object | FormData;
  method?: string;
  headers?: Record<string, string>;
}

async function send(path: string, { body, method = body ? 'POST' : 'GET', headers }: Asked) {
  const isForm = body instanceof FormData;
  const answer = await fetch(stack.urls.api + path, {
    method,
    headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : body ? JSON.stringify(body) : null,
  });
  const text = await answer.text();
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return { status: answer.status, body: (text ? JSON.parse(text) : null) as Body, cookie: cookie.join('; ') };
}

const ask = (path: string, body?: object | FormData) =>
  send(path, { ...(body && { body }), headers: { authorization: `Bearer ${access.secretKey}` } });

/** As the owner of the account. */
let cookie: string | undefined;
async function askAsOwner(path: string, asked: Asked = {}, projectId?: string) {
  const { email, password } = access;
  cookie ??= (await send('/auth/login', { body: { email, password } })).cookie;
  const origin = stack.urls.api;
  return send(path, {
    ...asked,
    headers: { cookie, origin, ...(projectId && { 'x-project-id': projectId }) },
  });
}

const mailbox = async (): Promise<number> =>
  ((await (await fetch(`${stack.urls.mailbox}/api/messages`)).json()) as { total: number }).total;

/** How a campaign stands, and what it waits for. */
async function standOf(id: string): Promise<[status: string, waitsFor: string | null]> {
  const { status, waitsFor } = (await ask(`/campaigns/${id}`)).body;
  return [status, waitsFor];
}

/** The same of a job. */
async function jobAt(path: string): Promise<[state: string, waitsFor: string | null]> {
  const { state, waitsFor } = (await ask(path)).body;
  return [state, waitsFor];
}

const waits = { timeout: 90_000 };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const everybodyAt = (domain: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: domain }] }],
});

/** A campaign for the people of a static segment. */
async function newCampaign(name: string, emails: string[]): Promise<string> {
  const { id: segmentId } = (await ask('/segments', { name, type: 'STATIC' })).body;
  for (const email of emails) await ask('/contacts', { email, subscribed: true });
  await ask(`/segments/${segmentId}/members`, { emails });
  const mail = { subject: name, body: '<p>Hello</p>', from: access.from };
  return (await ask('/campaigns', { name, ...mail, audienceType: 'SEGMENT', segmentId })).body.data.id;
}

/** Sends it. @returns how it stands */
async function sent(id: string, body: object = {}): Promise<[number, string, string | null]> {
  const answer = await ask(`/campaigns/${id}/send`, body);
  return [answer.status, answer.body.data.status, answer.body.data.waitsFor];
}

/** Everything that only the engine begins, asked for while it is not there: each is accepted and says that it waits. */
async function askForAll(mark: string) {
  const domain = `${mark}.example`;
  const file = new FormData();
  file.append('file', new Blob([`email\nimported@${domain}`], { type: 'text/csv' }), 'people.csv');
  const imported = await ask('/contacts/import', file);
  const exported = await ask('/exports', { type: 'contacts' });
  for (const name of ['one', 'two']) await ask('/contacts', { email: `${name}@${domain}` });
  const bulk = await ask('/contacts/bulk-unsubscribe', {
    mode: 'query',
    filter: { search: `one@${domain}` },
  });
  expect([imported.status, exported.status, bulk.status]).toEqual([202, 202, 202]);
  const jobs = [
    `/contacts/import/${imported.body.jobId}`,
    `/exports/${exported.body.id}`,
    `/contacts/bulk/${bulk.body.jobId}`,
  ];
  for (const job of jobs) expect(await jobAt(job)).toEqual(['waiting', 'engine']);

  const scheduled = await newCampaign(`Scheduled ${mark}`, [`later@${domain}`]);
  expect(await sent(scheduled, { scheduledFor: inAnHour() })).toEqual([200, 'SCHEDULED', 'engine']);
  const cancelled = await newCampaign(`Cancelled ${mark}`, [`never@${domain}`]);
  expect(await sent(cancelled)).toEqual([200, 'SENDING', 'engine']);
  const cancel = await ask(`/campaigns/${cancelled}/cancel`, {});
  expect([cancel.status, cancel.body.status, cancel.body.waitsFor]).toEqual([200, 'CANCELLED', null]);

  const { name, ...tracked } = { name: `Tracked ${mark}`, type: 'DYNAMIC', condition: everybodyAt(domain) };
  const segment = await ask('/segments', { name, ...tracked, trackMembership: true });
  expect(segment.status).toBe(201);
  expect((await ask(`/domains/${await demoDomain()}/verify`)).status).toBe(200);

  const [reset, deleted] = [await newProject(`Reset ${mark}`), await newProject(`Deleted ${mark}`)];
  expect((await askAsOwner(`/users/@me/projects/${reset}/reset`, { method: 'POST' })).status).toBe(202);
  const resetState = async () => {
    const query = new URLSearchParams({ input: JSON.stringify({ id: reset }) });
    return (await askAsOwner(`/trpc/projects.resetState?${query}`, {}, reset)).body.result.data;
  };
  expect(await resetState()).toMatchObject({ running: true, waitsFor: 'engine' });
  expect((await askAsOwner(`/users/@me/projects/${deleted}`, { method: 'DELETE' })).status).toBe(204);
  expect((await askAsOwner('/segments', {}, deleted)).status).toBe(403);

  /** Once the engine is there, all of it is done by itself. */
  return async () => {
    for (const job of jobs) await expect.poll(() => jobAt(job), waits).toEqual(['completed', null]);
    await expect.poll(() => standOf(scheduled), waits).toEqual(['SCHEDULED', null]);
    expect(await standOf(cancelled)).toEqual(['CANCELLED', null]);
    const members = async () => (await ask(`/segments/${segment.body.id}`)).body.memberCount;
    // The two who were there, the three of the campaigns, and the one of the import.
    await expect.poll(members, waits).toBe(5);
    await expect.poll(async () => (await resetState()).running, waits).toBe(false);
    expect((await ask(`/campaigns/${scheduled}/cancel`, {})).body.status).toBe('CANCELLED');
  };
}

async function demoDomain(): Promise<string> {
  const { projectId } = (await ask('/campaigns', draftOf('Whose'))).body.data as unknown as {
    projectId: string;
  };
  const domains = (await ask(`/domains/project/${projectId}`)).body as unknown as { id: string }[];
  return domains[0]?.id ?? '';
}

const draftOf = (name: string) => ({
  ...{ name, subject: name, body: '<p>Hello</p>', from: access.from, audienceType: 'ALL' },
});

async function newProject(name: string): Promise<string> {
  const { status, body } = await askAsOwner('/users/@me/projects', { body: { name } });
  expect(status).toBe(201);
  return body.id;
}

it('before Temporal is there email is sent and campaigns are accepted; once it is, they begin by themselves', async () => {
  expect(await ask('/health/ready')).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { temporal: 'starting' } },
  });
  const { from } = access;
  const email = { to: 'first@example.com', from, subject: 'First', body: '<p>Hello</p>' };
  expect((await ask('/v1/send', email)).status).toBe(200);
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(1);

  const id = await newCampaign('Early', ['ann@few.example', 'ben@few.example']);
  expect(await sent(id)).toEqual([200, 'SENDING', 'engine']);
  expect(await standOf(id)).toEqual(['SENDING', 'engine']);
  const begunLater = await askForAll('starting');

  temporal = await startTemporal({ port, dbFile: join(folder, 'temporal.db') });
  await expect.poll(() => standOf(id), waits).toEqual(['SENT', null]);
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(3);
  await expect
    .poll(async () => (await ask('/config')).body.engine, { timeout: 30_000 })
    .toEqual({ state: 'ok', since: null });
  await begunLater();

  // A campaign that cannot be delivered, for a retry: no email of the simulator leaves.
  const refused = await newCampaign('Refused', ['blocked@postrider.test']);
  expect(await sent(refused)).toEqual([200, 'SENDING', null]);
  await expect.poll(() => standOf(refused), waits).toEqual(['SENT', null]);
  expect((await ask(`/campaigns/${refused}`)).body.failedCount).toBe(1);

  await temporal.kill();
  await expect
    .poll(async () => (await ask('/health/ready')).body.status, { timeout: 30_000 })
    .toBe('degraded');
  expect((await ask('/v1/send', { ...email, subject: 'Second' })).status).toBe(200);
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(4);
  const retried = await ask(`/campaigns/${refused}/retry`, { statuses: ['FAILED'] });
  expect([retried.status, retried.body.requeued]).toEqual([202, 1]);
  // What the request has queued is delivered without an engine, and its campaign closed.
  await expect.poll(() => standOf(refused), waits).toEqual(['SENT', null]);
  const late = await newCampaign('Late', ['cat@few.example']);
  expect(await sent(late)).toEqual([200, 'SENDING', 'engine']);
  const begunAgain = await askForAll('away');

  await temporal.start();
  await expect.poll(() => standOf(late), waits).toEqual(['SENT', null]);
  await begunAgain();
  await expect.poll(mailbox, { timeout: 30_000 }).toBe(5);
}, 600_000);
