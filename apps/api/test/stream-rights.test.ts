import { request as httpRequest } from 'node:http';
import { newId } from '@postrider/core/base/lib';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, type TestProject } from '@postrider/core/testing';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

/** Live streams end with the right of their caller, cost requests, and are bounded in number (behaviour B4.21). */
const limit = 30;
let test: TestApp;
let url: string;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: String(limit) });
  url = await test.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => test.close());

const db = () => test.services.database.prisma;
const activity = 'subscription { activity { metadata } }';

function subscribe(key: string, query = activity, variables: Record<string, unknown> = {}) {
  const headers = { authorization: `Bearer ${key}` };
  return createClient({ url: `${url}/graphql`, headers, retryAttempts: 0 }).iterate<Record<string, unknown>>({
    query,
    variables,
  });
}

/** The topics and errors of a stream of the dashboard, as a browser reads them. */
async function* changes(headers: Record<string, string>, projectId: string): AsyncGenerator<string> {
  const params = encodeURIComponent(JSON.stringify({ projectId }));
  const response = await fetch(`${url}/trpc/live.changes?connectionParams=${params}`, {
    headers: { cookie: headers['cookie'] ?? '', accept: 'text/event-stream' },
  });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (/^data: [[{]/m.test(block) && !block.includes('connected')) yield block;
  }
}

const happens = (projectId: string, name: string) =>
  db().event.create({ data: { id: newId(), projectId, kind: 'CUSTOM', name } });

const nameOf = ({ value }: IteratorResult<{ data?: Record<string, unknown> | null }>): unknown =>
  (value?.data?.['activity'] as { metadata: { eventName: string } } | undefined)?.metadata.eventName;

const isWatched = async (projectId: string) =>
  (await db().liveListener.count({ where: { projectId, topic: 'activity' } })) > 0;

const windowOf = ({ id }: TestProject) =>
  db().rateWindow.findFirstOrThrow({ where: { projectId: id, keyType: 'secret' } });

async function namedKey(project: TestProject): Promise<{ id: string; key: string }> {
  const { body } = await ownerOf(project)('POST', `/users/@me/projects/${project.id}/keys`, {
    name: 'reader',
    scope: 'read',
  });
  return body;
}

/** Requests of the owner of a project. */
function ownerOf(project: TestProject) {
  return async (method: string, path: string, payload?: object) => {
    const headers = await sessionOf(project.ownerId, project.id);
    return test.anyone(method, path, payload, headers);
  };
}

async function sessionOf(userId: string, projectId: string): Promise<Record<string, string>> {
  const token = await issueSession(test.services, { id: userId });
  return {
    cookie: `${sessionCookie}=${token}`,
    'x-project-id': projectId,
    'sec-fetch-site': 'same-origin',
  };
}

describe.concurrent('a stream ends with the right of its key', () => {
  it.each<[string, (project: TestProject, named: { id: string }) => Promise<unknown>]>([
    [
      'a deleted named key',
      (project, { id }) => ownerOf(project)('DELETE', `/users/@me/projects/${project.id}/keys/${id}`),
    ],
    [
      'an expired named key',
      (_project, { id }) => db().apiKey.update({ where: { id }, data: { expiresAt: new Date() } }),
    ],
    ['a deleted project', (project) => ownerOf(project)('DELETE', `/users/@me/projects/${project.id}`)],
  ])('%s: the error of REST, then the end', async (_name, end) => {
    const project = await createTestProject(test.services);
    const { id, key } = await namedKey(project);
    const events = subscribe(key);
    const first = events.next();
    await expect.poll(() => isWatched(project.id)).toBe(true);
    await happens(project.id, 'before');
    expect(nameOf(await first)).toBe('before');
    await end(project, { id });
    await endsWith(events, project.id, 'INVALID_API_KEY');
  });

  it('a rotated pair', async () => {
    const project = await createTestProject(test.services);
    const events = subscribe(project.secretKey);
    const first = events.next();
    await expect.poll(() => isWatched(project.id)).toBe(true);
    await happens(project.id, 'before');
    await first;
    await ownerOf(project)('POST', `/users/@me/projects/${project.id}/regenerate-keys`, {});
    await endsWith(events, project.id, 'INVALID_API_KEY');
  });
});

/** What happens goes on, as after a leaked key was rotated: the stream must not show it for long. */
async function endsWith(events: ReturnType<typeof subscribe>, projectId: string, code: string) {
  const happening = setInterval(
    () => void happens(projectId, 'after').catch(() => clearInterval(happening)),
    400,
  );
  try {
    for (;;) {
      const { value, done } = await events.next();
      expect(done).not.toBe(true);
      if (!value?.errors) continue;
      expect(value).toMatchObject({ errors: [{ extensions: { code, requestId: expect.any(String) } }] });
      break;
    }
    expect((await events.next()).done).toBe(true);
  } finally {
    clearInterval(happening);
  }
}

describe.concurrent('a stream of the dashboard ends with the right of its user', () => {
  it.each<[string, (project: TestProject, userId: string) => Promise<unknown>, string]>([
    [
      'a session that was ended',
      (_project, userId) => db().session.deleteMany({ where: { userId } }),
      'UNAUTHORIZED',
    ],
    [
      'a member who was removed',
      (project, userId) => ownerOf(project)('DELETE', `/projects/${project.id}/members/${userId}`),
      'PROJECT_ACCESS_DENIED',
    ],
  ])('%s', async (_name, end, code) => {
    const project = await createTestProject(test.services);
    const { actor } = await project.userCtx('MEMBER');
    if (actor.type !== 'user') throw new Error('userCtx gives a user');
    const stream = changes(await sessionOf(actor.userId, project.id), project.id);
    expect((await stream.next()).value).toContain('campaigns');
    await end(project, actor.userId);
    let last: string | undefined;
    for await (const block of stream) last = block;
    expect(last).toContain('event: serialized-error');
    expect(last).toContain(`"code":"${code}"`);
  });
});

it('events count as requests; what the window has no room for waits for the next one, and the stream stays open', async () => {
  const project = await createTestProject(test.services);
  const events = subscribe(project.secretKey);
  let pending = events.next();
  await expect.poll(() => isWatched(project.id)).toBe(true);
  await happens(project.id, 'one');
  expect(nameOf(await pending)).toBe('one');
  expect((await windowOf(project)).count).toBe(2);

  // The window ends in 3 seconds and has room for one more.
  await db().rateWindow.updateMany({
    where: { projectId: project.id },
    data: { count: limit - 1, windowStart: new Date(Date.now() - 57_000) },
  });
  pending = events.next();
  await happens(project.id, 'two');
  expect(nameOf(await pending)).toBe('two');
  for (const name of ['three', 'four']) await happens(project.id, name);
  const windowBefore = (await windowOf(project)).windowStart;
  expect(nameOf(await events.next())).toBe('three');
  expect((await windowOf(project)).windowStart.getTime()).toBeGreaterThan(windowBefore.getTime());
  expect(nameOf(await events.next())).toBe('four');
  await events.return?.();
});

it('the selection of a subscription costs at most 500 for each event', async () => {
  const query = `subscription ($id: ID!) {
    campaignProgress(id: $id) { name recipients(first: 100) { edges { node { email status contact { email } } } } }
  }`;
  const send = test.withKey((await createTestProject(test.services)).secretKey);
  const headers = { accept: 'text/event-stream' };
  const { status, body } = await send('POST', '/graphql', { query, variables: { id: newId() } }, headers);
  expect({ status, error: body.errors[0].extensions }).toMatchObject({
    status: 400,
    error: { code: 'QUERY_TOO_COMPLEX', details: { cost: expect.any(Number), limit: 500 } },
  });
  expect(body.errors[0].extensions.details.cost).toBeGreaterThan(500);
});

describe('the number of streams', () => {
  it('20 of one project; the 21st is 429, and a stream that ends makes room', async () => {
    const [project, neighbour] = [
      await createTestProject(test.services),
      await createTestProject(test.services),
    ];
    const open = ({ secretKey }: TestProject) => {
      const events = subscribe(secretKey);
      events.next().catch(() => undefined);
      return events;
    };
    const isFull = ({ id }: TestProject): boolean => {
      try {
        test.services.live.assertRoom(`project:${id}`);
        return false;
      } catch {
        return true;
      }
    };
    const opened = Array.from({ length: 20 }, () => open(project));
    await expect.poll(() => isFull(project)).toBe(true);
    const refused = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${project.secretKey}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: activity }),
    });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMIT_EXCEEDED' } }] });
    expect(refused.headers.get('retry-after')).toBe('10');
    const ofNeighbour = open(neighbour);
    await expect.poll(() => isWatched(neighbour.id)).toBe(true);
    await opened[0]?.return?.();
    await expect.poll(() => isFull(project)).toBe(false);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/postrider_streams\{door="graphql"\} [1-9]/);
    expect(metrics).toMatch(/postrider_streams_ended_total\{reason="client"\} [1-9]/);
    for (const events of [ofNeighbour, ...opened]) await events.return?.();
  });

  it('a client that leaves before the answer begins takes no place', async () => {
    const project = await createTestProject(test.services);
    const leave = () =>
      new Promise<void>((resolve) => {
        const request = httpRequest(`${url}/graphql`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${project.secretKey}`,
            accept: 'text/event-stream',
            'content-type': 'application/json',
          },
        });
        request.on('error', () => undefined).on('close', resolve);
        request.end(JSON.stringify({ query: activity }), () => request.destroy());
      });
    await Promise.all(Array.from({ length: 5 }, leave));
    await expect.poll(async () => (await windowOf(project)).count).toBe(5);
    await expect.poll(() => isWatched(project.id)).toBe(false);
  });
});
