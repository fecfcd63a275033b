import { newId } from '@postrider/core/base/lib';
import { writeChunk } from '@postrider/core/insight/exports';
import { createTestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Statuses and shapes of exports over HTTP (behaviour B11.5). */
let test: TestApp;
let send: Send;

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

it('an export is started, followed and downloaded', async () => {
  await send('POST', '/contacts', { email: 'ann@people.test', data: { name: '=Ann' } });
  const started = await send('POST', '/exports', { type: 'contacts' });
  expect([started.status, started.body]).toEqual([
    202,
    {
      id: expect.any(String),
      state: 'waiting',
      waitsFor: 'engine',
      progress: 0,
      result: null,
      failedReason: null,
      createdAt: expect.any(String),
      completedAt: null,
    },
  ]);
  const path = `/exports/${started.body.id}`;
  expect(await send('GET', path)).toMatchObject({ status: 200, body: started.body });
  const early = await send('GET', `${path}/file`);
  expect([early.status, codeOf(early)]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  while (await writeChunk(test.services, started.body.id));
  expect((await send('GET', path)).body).toMatchObject({
    state: 'completed',
    progress: 100,
    result: { rows: 1 },
    completedAt: expect.any(String),
  });
  for (const caller of [send, await test.withSession('MEMBER')]) {
    const { status, headers, text } = await caller('GET', `${path}/file`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/);
    expect(text.split('\r\n')).toEqual([
      expect.stringMatching(/^id,email,.*,data\.name$/),
      expect.stringMatching(/,ann@people\.test,.*,'=Ann$/),
      '',
    ]);
    const marked = await caller('GET', `${path}/file?bom=true`);
    expect(marked.text).toBe(`\uFEFF${text}`);
    expect((await caller('GET', `${path}/file?bom=perhaps`)).status).toBe(400);
    expect((await caller('GET', `${path}/file?mark=true`)).status).toBe(422);
  }
});

it('GraphQL and tRPC start and follow the same export', async () => {
  const query = 'mutation { startExport(input: { type: suppressions }) { id state result { rows } } }';
  const started = await send('POST', '/graphql', { query });
  const { id } = started.body.data.startExport;
  expect(started.body.data.startExport).toEqual({ id, state: 'waiting', result: null });
  while (await writeChunk(test.services, id));
  const followed = await send('POST', '/graphql', {
    query: `{ export(jobId: "${id}") { result { rows } } }`,
  });
  expect(followed.body.data).toEqual({ export: { result: { rows: 0 } } });
  const session = await test.withSession('MEMBER');
  const input = encodeURIComponent(JSON.stringify({ jobId: id }));
  const read = await session('GET', `/trpc/exports.get?input=${input}`);
  expect(read.body.result.data).toMatchObject({ id, state: 'completed' });
});

it('refusals: shapes are 422, unknown ids are 404, without a credential 401', async () => {
  const other = await createTestProject(test.services);
  const foreign = (await test.withKey(other.secretKey)('POST', '/exports', { type: 'events' })).body.id;
  const statusOf = async (method: string, path: string, body?: object) => {
    const answer = await send(method, path, body);
    return [answer.status, codeOf(answer)];
  };
  const invalid = [422, 'VALIDATION_ERROR'];
  const unknown = [404, 'RESOURCE_NOT_FOUND'];
  expect(await statusOf('POST', '/exports', {})).toEqual(invalid);
  expect(await statusOf('POST', '/exports', { type: 'recipients' })).toEqual(invalid);
  expect(await statusOf('POST', '/exports', { type: 'contacts', filter: { logic: 'x' } })).toEqual(invalid);
  const campaign = { type: 'recipients', campaignId: newId() };
  expect(await statusOf('POST', '/exports', campaign)).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
  const segment = { type: 'contacts', segmentId: newId() };
  expect(await statusOf('POST', '/exports', segment)).toEqual([404, 'SEGMENT_NOT_FOUND']);
  for (const id of [foreign, newId(), 'x']) {
    expect(await statusOf('GET', `/exports/${id}`)).toEqual(unknown);
    expect(await statusOf('GET', `/exports/${id}/file`)).toEqual(unknown);
  }
  expect((await test.anyone('GET', `/exports/${foreign}/file`)).status).toBe(401);
  expect((await test.withKey(test.project.publicKey)('GET', `/exports/${foreign}/file`)).status).toBe(401);
});
