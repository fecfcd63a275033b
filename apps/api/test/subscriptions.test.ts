import type { AddressInfo } from 'node:net';
import { newId } from '@postrider/core/base/lib';
import { createTestProject } from '@postrider/core/testing';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { startApp, type TestApp } from './harness.ts';

/** GraphQL subscriptions as server-sent events, read by graphql-sse over real connections. */
let test: TestApp;
let url: string;
beforeAll(async () => {
  test = await startApp();
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}/graphql`;
});
afterAll(() => test.close());

const subscribe = (query: string, variables: Record<string, unknown> = {}, key = test.project.secretKey) =>
  createClient({ url, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 }).iterate<
    Record<string, unknown>
  >({ query, variables });

const db = () => test.services.database.prisma;

async function makeCampaign(projectId = test.project.id): Promise<string> {
  const id = newId();
  await db().campaign.create({
    data: {
      ...{ id, projectId, name: 'News', subject: 'News', body: '<p>News</p>', from: 'a@news.test' },
      ...{ audienceType: 'ALL', status: 'SENDING', totalRecipients: 10 },
    },
  });
  await db().campaignCounter.create({ data: { campaignId: id, projectId } });
  return id;
}

const progress = 'subscription ($id: ID!) { campaignProgress(id: $id) { status sentCount totalRecipients } }';

const listeners = (topic: string) => db().liveListener.count({ where: { topic } });

describe('campaignProgress', () => {
  it('shows the campaign at once, each change, and ends when it is sent', async () => {
    const id = await makeCampaign();
    const events = subscribe(progress, { id });
    const next = async () => (await events.next()).value?.data?.['campaignProgress'];
    expect(await next()).toEqual({ status: 'SENDING', sentCount: 0, totalRecipients: 10 });
    await db().campaignCounter.update({ where: { campaignId: id }, data: { sentCount: 4 } });
    expect(await next()).toEqual({ status: 'SENDING', sentCount: 4, totalRecipients: 10 });
    await db().campaignCounter.update({ where: { campaignId: id }, data: { sentCount: 10 } });
    await db().campaign.update({ where: { id }, data: { status: 'SENT', sentAt: new Date() } });
    let last: unknown;
    for await (const { data } of events) last = data?.['campaignProgress'];
    expect(last).toEqual({ status: 'SENT', sentCount: 10, totalRecipients: 10 });
    await expect.poll(() => listeners(`campaign:${id}`)).toBe(0);
  });

  it('shows changes after the connection to the database was lost', async () => {
    const id = await makeCampaign();
    const events = subscribe(progress, { id });
    await events.next();
    await test.services.database.durable.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await db().campaignCounter.update({ where: { campaignId: id }, data: { sentCount: 7 } });
    expect((await events.next()).value?.data?.['campaignProgress']).toMatchObject({ sentCount: 7 });
    await events.return?.();
  });

  it.each(['an unknown id', 'an id of another project'])(
    'is an error with its code for %s',
    async (which) => {
      const other = await createTestProject(test.services);
      const id = which === 'an unknown id' ? newId() : await makeCampaign(other.id);
      const { value } = await subscribe(progress, { id }).next();
      expect(value).toMatchObject({
        errors: [{ extensions: { code: 'CAMPAIGN_NOT_FOUND', requestId: expect.any(String) } }],
      });
      await expect.poll(() => listeners(`campaign:${id}`)).toBe(0);
    },
  );
});

describe('activity', () => {
  const query = 'subscription { activity { type contactEmail metadata } }';

  it('shows what happens through another api process, and nothing from before or of other projects', async () => {
    const other = createApp(test.services);
    const track = (publicKey: string, event: string) =>
      other.inject({
        method: 'POST',
        url: '/v1/track',
        headers: { authorization: `Bearer ${publicKey}` },
        payload: { email: 'ada@people.test', event },
      });
    const stranger = await createTestProject(test.services);
    await track(test.project.publicKey, 'before');
    const events = subscribe(query);
    const first = events.next();
    await expect.poll(() => listeners('activity')).toBe(1);
    await track(stranger.publicKey, 'elsewhere');
    await track(test.project.publicKey, 'bought');
    expect((await first).value?.data?.['activity']).toMatchObject({
      type: 'event.triggered',
      contactEmail: 'ada@people.test',
      metadata: { eventName: 'bought' },
    });
    await events.return?.();
    await expect.poll(() => listeners('activity')).toBe(0);
  });

  it('resumed after a lost connection, it begins with what followed the last item received, once and in order', async () => {
    const { id: projectId, secretKey } = await createTestProject(test.services);
    const bought = async (...names: string[]) => {
      const at = Date.now() - names.length;
      await db().event.createMany({
        data: names.map((name, index) => ({
          id: newId(),
          projectId,
          kind: 'CUSTOM' as const,
          name,
          createdAt: new Date(at + index),
        })),
      });
    };
    const names = Array.from({ length: 250 }, (_, index) => `purchase ${index}`);
    await bought(...names);
    const [last] = await db().event.findMany({ where: { projectId, name: 'purchase 20' } });
    const events = subscribe(
      'subscription ($after: ID) { activity(after: $after) { metadata } }',
      { after: last?.id },
      secretKey,
    );
    const next = async () => (await events.next()).value?.data?.['activity'];
    const missed = names.slice(21);
    for (const eventName of missed.slice(0, 200))
      expect(await next()).toMatchObject({ metadata: { eventName } });
    await bought('one more');
    for (const eventName of [...missed.slice(200), 'one more'])
      expect(await next()).toMatchObject({ metadata: { eventName } });
    await events.return?.();
  });
});

describe('importProgress', () => {
  it('ends with the result of the import', async () => {
    const id = newId();
    await db().job.create({ data: { id, projectId: test.project.id, kind: 'import', input: {} } });
    const events = subscribe('subscription ($id: ID!) { importProgress(id: $id) { state progress } }', {
      id,
    });
    expect((await events.next()).value?.data?.['importProgress']).toEqual({ state: 'waiting', progress: 0 });
    await db().job.update({ where: { id }, data: { state: 'failed', failedReason: 'The file is empty' } });
    expect((await events.next()).value?.data?.['importProgress']).toEqual({ state: 'failed', progress: 0 });
    expect((await events.next()).done).toBe(true);
  });
});

it('executionProgress of an unknown id is an error with its code', async () => {
  const events = subscribe('subscription ($id: ID!) { executionProgress(id: $id) { status } }', {
    id: newId(),
  });
  expect((await events.next()).value).toMatchObject({
    errors: [{ extensions: { code: 'RESOURCE_NOT_FOUND' } }],
  });
});

it('a wrong key is refused before anything is streamed', async () => {
  const events = subscribe('subscription { activity { type } }', {}, 'sk_wrong');
  await expect(events.next()).rejects.toMatchObject({ response: { status: 401 } });
});

it('stopping the server ends open subscriptions', async () => {
  const stopping = await startApp();
  await stopping.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = stopping.app.server.address() as AddressInfo;
  const events = createClient({
    url: `http://127.0.0.1:${port}/graphql`,
    headers: { authorization: `Bearer ${stopping.project.secretKey}` },
    retryAttempts: 0,
  }).iterate({ query: 'subscription { activity { type } }' });
  const end = events.next();
  await expect.poll(() => stopping.services.database.prisma.liveListener.count()).toBe(1);
  await stopping.close();
  expect((await end).done).toBe(true);
});

describe('webhookDeliveries', () => {
  const query = 'subscription ($id: ID!) { webhookDeliveries(id: $id) { type status } }';

  it('shows new deliveries of the endpoint and their changes, and none of another', async () => {
    const send = test.withKey(test.project.secretKey);
    const created = async (): Promise<string> =>
      (await send('POST', '/webhook-endpoints', { url: 'https://hooks.example.com/' })).body.id;
    const [id, other] = [await created(), await created()];
    const tested = async (endpoint: string): Promise<string> =>
      (await send('POST', `/webhook-endpoints/${endpoint}/test`)).body.deliveryId;
    await tested(id);
    const events = subscribe(query, { id });
    const first = events.next();
    await expect.poll(() => listeners(`deliveries:${id}`)).toBe(1);
    await tested(other);
    const deliveryId = await tested(id);
    const shown = (result: Awaited<typeof first>) => result.value?.data?.['webhookDeliveries'];
    expect(shown(await first)).toEqual({ type: 'webhook.test', status: 'PENDING' });
    await db().webhookDelivery.update({ where: { id: deliveryId }, data: { status: 'DELIVERED' } });
    expect(shown(await events.next())).toEqual({ type: 'webhook.test', status: 'DELIVERED' });
    await events.return?.();
    await expect.poll(() => listeners(`deliveries:${id}`)).toBe(0);
  });

  it.each([
    ['an unknown id', newId(), 'RESOURCE_NOT_FOUND'],
    ['a malformed id', 'not-a-uuid', 'VALIDATION_ERROR'],
  ])('is an error with its code for %s, before anything is watched', async (_which, id, code) => {
    const watch = vi.spyOn(test.services.live, 'watch');
    const { value } = await subscribe(query, { id }).next();
    expect(value).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(watch).not.toHaveBeenCalled();
    watch.mockRestore();
  });

  it('is an error with its code for an endpoint of another project', async () => {
    const stranger = await createTestProject(test.services);
    const { body } = await test.withKey(stranger.secretKey)('POST', '/webhook-endpoints', {
      url: 'https://hooks.example.com/',
    });
    const { value } = await subscribe(query, { id: body.id }).next();
    expect(value).toMatchObject({ errors: [{ extensions: { code: 'RESOURCE_NOT_FOUND' } }] });
  });
});
