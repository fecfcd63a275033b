import { EngineWatch } from '@postrider/core/base/kernel';
import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';
import { editorOf } from './workflow-kit.ts';

/** What waits for the workflow engine is accepted and says so, by every door (behaviour B2.13). No test here has a Temporal server. */
let test: TestApp;
let send: Send;
let owner: Send;

const from = 'hello@waits.example.com';
const draft = { subject: 'Hello', body: '<p>Hello</p>', from, name: 'Early', audienceType: 'ALL' };

beforeAll(async () => {
  test = await startApp();
  Object.assign(test.services.workflows, { signal: async () => true, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'waits.example.com');
  send = test.withKey(test.project.secretKey);
  owner = await test.withSession();
  await send('POST', '/contacts', { email: 'ann@waits.example.com' });
});
afterAll(() => test.close());

const created = async (): Promise<string> => (await send('POST', '/campaigns', draft)).body.data.id;
const asGraphql = async (query: string) => (await send('POST', '/graphql', { query })).body.data;
const asTrpc = async (procedure: string, input: object) =>
  (await owner('GET', `/trpc/${procedure}?${new URLSearchParams({ input: JSON.stringify(input) })}`)).body
    .result.data;

describe('a campaign', () => {
  it('waits for the engine by every door, in lists too, until it is cancelled', async () => {
    const id = await created();
    const sent = await send('POST', `/campaigns/${id}/send`);
    const waiting = { status: 'SENDING', waitsFor: 'engine' };
    expect([sent.status, sent.body.data]).toEqual([200, expect.objectContaining(waiting)]);
    expect((await send('GET', `/campaigns/${id}`)).body).toMatchObject(waiting);
    expect((await send('GET', '/campaigns')).body.data).toMatchObject([waiting]);
    expect(await asGraphql(`{ campaign(id: "${id}") { status waitsFor } }`)).toEqual({ campaign: waiting });
    expect(await asGraphql('{ campaigns { data { status waitsFor } } }')).toEqual({
      campaigns: { data: [waiting] },
    });
    expect(await asTrpc('campaigns.get', { id })).toMatchObject(waiting);
    expect(await asTrpc('campaigns.list', {})).toMatchObject({ data: [waiting] });
    expect((await asTrpc('analytics.overview', {})).activeCampaigns).toMatchObject([waiting]);

    const cancelled = await send('POST', `/campaigns/${id}/cancel`);
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      expect.objectContaining({ status: 'CANCELLED', waitsFor: null }),
    ]);
  });
});

const everybody = { logic: 'AND', groups: [{ filters: [{ field: 'email', operator: 'isNotEmpty' }] }] };
const csv = 'email\nben@waits.example.com';
async function started(kind: 'import' | 'bulk' | 'export' | 'person'): Promise<string> {
  switch (kind) {
    case 'import': {
      const query = `mutation { importContacts(input: {csv: ${JSON.stringify(csv)}}) { jobId } }`;
      return (await asGraphql(query)).importContacts.jobId;
    }
    case 'bulk': {
      const { status, body } = await send('POST', '/contacts/bulk-unsubscribe', {
        mode: 'query',
        filter: {},
      });
      expect(status).toBe(202);
      return `${body.jobId}`;
    }
    case 'export': {
      const { status, body } = await send('POST', '/exports', { type: 'contacts' });
      expect([status, body.state, body.waitsFor]).toEqual([202, 'waiting', 'engine']);
      return `${body.id}`;
    }
    case 'person': {
      const { status, body } = await owner('POST', '/privacy/exports', { email: 'ann@waits.example.com' });
      expect([status, body.state, body.waitsFor]).toEqual([202, 'waiting', 'engine']);
      return `${body.id}`;
    }
  }
}

describe('a job that has not begun', () => {
  it.each([
    ['import', '/contacts/import/:id', 'contacts.getImport', 'contactImport'],
    ['bulk', '/contacts/bulk/:id', 'contacts.getBulkJob', 'contactBulkJob'],
    ['export', '/exports/:id', 'exports.get', 'export'],
    ['person', '/privacy/exports/:id', 'privacy.getExport', 'personExport'],
  ] as const)(
    'of the kind %s waits for the engine, and not once it has begun',
    async (kind, path, procedure, field) => {
      const jobId = await started(kind);
      const read = () => owner('GET', path.replace(':id', jobId));
      const waiting = { state: 'waiting', waitsFor: 'engine' };
      expect((await read()).body).toMatchObject(waiting);
      expect(await asTrpc(procedure, { jobId })).toMatchObject(waiting);
      const query = `{ ${field}(jobId: "${jobId}") { state waitsFor } }`;
      expect(await asGraphql(query)).toEqual({ [field]: waiting });
      expect((await asTrpc('analytics.overview', {})).jobs).toContainEqual(
        expect.objectContaining({ id: jobId, waitsFor: 'engine' }),
      );
      await test.services.database.prisma.job.update({ where: { id: jobId }, data: { state: 'active' } });
      expect((await read()).body).toMatchObject({ state: 'active', waitsFor: null });
    },
  );

  it('is listed as waiting, and not to another project', async () => {
    const jobId = await started('import');
    const { data } = (await send('GET', '/contacts/imports')).body;
    expect(data[0]).toMatchObject({ id: jobId, state: 'waiting', waitsFor: 'engine' });
    const body = (await owner('POST', '/users/@me/projects', { name: 'Other' })).body;
    const other = test.withKey(body.secret);
    expect(codeOf(await other('GET', `/contacts/import/${jobId}`))).toBe('RESOURCE_NOT_FOUND');
    expect((await other('GET', '/contacts/imports')).body.data).toEqual([]);
  });

  it('of a workflow waits where the engine begins it, and not where the worker does', async () => {
    const id = await editorOf(send).workflow();
    await send('PATCH', `/workflows/${id}`, { enabled: true });
    const jobOf = async (path: string, body: object) => {
      const { status, body: job } = await send('POST', `/workflows/${id}/${path}`, body);
      expect(status).toBe(202);
      return (await send('GET', `/workflows/${id}/jobs/${job.jobId}`)).body;
    };
    const cancels = await jobOf('executions/cancel', { version: 1 });
    expect(cancels).toMatchObject({ state: 'waiting', waitsFor: 'engine' });
    const entries = await jobOf('entries', { filter: everybody });
    expect(entries).toMatchObject({ state: 'waiting', waitsFor: null });
    const { jobs } = await asTrpc('analytics.overview', {});
    expect(jobs).toContainEqual(expect.objectContaining({ id: cancels.id, waitsFor: 'engine' }));
    expect(jobs).toContainEqual(expect.objectContaining({ id: entries.id, waitsFor: null }));
  });

  it('that replays webhook deliveries waits for nothing', async () => {
    const endpoint = { url: 'https://hooks.example.com/x', types: ['*'] };
    const { body } = await send('POST', '/webhook-endpoints', endpoint);
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date()];
    const replay = await send('POST', `/webhook-endpoints/${body.id}/replay`, { from, to });
    expect([replay.status, replay.body.state, replay.body.waitsFor]).toEqual([202, 'waiting', null]);
  });
});

describe('a reset', () => {
  it('is accepted, and says that it waits until it has removed something', async () => {
    const { body } = await owner('POST', '/users/@me/projects', { name: 'To be reset' });
    const reset = await owner('POST', `/users/@me/projects/${body.id}/reset`);
    expect(reset.status).toBe(202);
    const state = () => asTrpc('projects.resetState', { id: body.id });
    expect(await state()).toMatchObject({ running: true, progress: 0, waitsFor: 'engine' });
    const rows = { where: { projectId: body.id } };
    await test.services.database.prisma.projectRemoval.updateMany({ ...rows, data: { removed: 1 } });
    expect(await state()).toMatchObject({ running: true, waitsFor: null });
  });
});

it('while the engine answers, nothing says that it waits', async () => {
  const { engine } = test.services;
  Object.assign(test.services, { engine: new EngineWatch({ healthy: async () => true }) });
  try {
    const id = await created();
    const { data } = (await send('POST', `/campaigns/${id}/send`)).body;
    expect(data).toMatchObject({ status: 'SENDING', waitsFor: null });
    expect((await send('GET', `/campaigns/${id}`)).body).toMatchObject({ waitsFor: null });
    const { body } = await send('POST', '/exports', { type: 'contacts' });
    expect(body).toMatchObject({ state: 'waiting', waitsFor: null });
  } finally {
    Object.assign(test.services, { engine });
  }
});
