import { newId } from '@postrider/core/base/lib';
import { endInterruptedApprovals } from '@postrider/core/insight/approvals';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enterAddress, makeKey } from './agent-attempts.ts';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

/** Behaviour B15.11: no email and no deletion by an agent without a person's consent to exactly that call. */
let test: TestApp;
let agent: Send;
let full: Send;
let owner: Send;
let member: Send;
let keyId: string;

const from = 'shop@shop.example.com';
const mail = { subject: 'Hello', body: '<p>Hello</p>', from };
const condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
};

beforeAll(async () => {
  test = await startApp();
  const made = await makeKey(test, test.project);
  keyId = made.id;
  agent = test.withKey(made.key);
  full = test.withKey(test.project.secretKey);
  owner = await test.withSession('OWNER');
  member = await test.withSession('MEMBER');
  await verifiedDomain(test.services, test.project.id, 'shop.example.com');
  await enterAddress(test, test.project.id);
  await full('POST', '/contacts', { email: 'ann@people.test' });
});
afterAll(() => test.close());

const emails = () => test.services.database.prisma.email.count({ where: { projectId: test.project.id } });
const asked = (answer: Answer): Json => {
  expect([answer.status, codeOf(answer)], answer.text).toEqual([409, 'APPROVAL_REQUIRED']);
  return answer.body.error.details;
};
const read = async (id: string): Promise<Json> => (await owner('GET', `/approvals/${id}`)).body;
const approve = async (id: string, by: Send = owner): Promise<Answer> =>
  by('POST', `/approvals/${id}/approve`, { hash: (await read(id)).hash });
let order = 0;
const send = (more: object = {}) => ({
  ...mail,
  to: 'ann@people.test',
  subject: `Hello ${++order}`,
  ...more,
});

describe('the checks before sending, for an agent', () => {
  const sendable = async (more: object) => {
    const made = await full('POST', '/campaigns', { ...mail, name: 'C', audienceType: 'ALL', ...more });
    return (made.body.data ?? made.body).id;
  };

  it('are strict in every project, so that no person is asked to agree to an error', async () => {
    const id = await sendable({ type: 'HEADLESS' });
    expect((await agent('POST', `/campaigns/${id}/preflight`)).body).toMatchObject({ ok: false });
    const refused = await agent('POST', `/campaigns/${id}/send`, {});
    expect([refused.status, codeOf(refused)], refused.text).toEqual([409, 'PREFLIGHT_FAILED']);
    expect(refused.body.error.details.findings).toMatchObject([
      { rule: 'unsubscribe_missing', level: 'error', blocks: false },
    ]);
    expect((await full('POST', `/campaigns/${id}/send`, {})).status).toBe(200);
    await full('POST', `/campaigns/${id}/cancel`);
  });

  it('acknowledge nothing: that is for people', async () => {
    const id = await sendable({ type: 'HEADLESS' });
    const refused = await agent('POST', `/campaigns/${id}/send`, { acknowledge: ['unsubscribe_missing'] });
    expect([refused.status, codeOf(refused)], refused.text).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an agent', () => {
  it('reads, makes drafts, and tries everything as a dry run', async () => {
    expect((await agent('GET', '/contacts')).status).toBe(200);
    expect((await agent('POST', '/contacts/lookup', { emails: ['ann@people.test'] })).status).toBe(200);
    const template = await agent('POST', '/templates', { ...mail, name: 'T' });
    expect(template.status, template.text).toBe(201);
    const campaign = await agent('POST', '/campaigns', { ...mail, name: 'C', audienceType: 'ALL' });
    expect(campaign.status, campaign.text).toBe(201);
    const { id } = campaign.body.data ?? campaign.body;
    const changed = await agent('PUT', `/campaigns/${id}`, { ...mail, name: 'D', audienceType: 'ALL' });
    expect(changed.status, changed.text).toBe(200);
    const workflow = await agent('POST', '/workflows', { name: 'W', eventName: 'never' });
    expect(workflow.status).toBe(201);
    const added = await agent('POST', `/workflows/${workflow.body.id}/steps`, {
      ...{ type: 'DELAY', name: 'Wait', position: { x: 0, y: 0 }, config: { amount: 1, unit: 'days' } },
    });
    expect(added.status, added.text).toBe(201);
    const dry = await agent('POST', '/v1/send', send(), { 'dry-run': 'true' });
    expect(dry.status, dry.text).toBe(200);
    expect(await emails()).toBe(0);
    expect(await test.services.database.prisma.approval.count()).toBe(0);
  });

  it('is asked to wait before email is sent, and nothing else has happened', async () => {
    const body = send();
    const details = asked(await agent('POST', '/v1/send', body, { 'idempotency-key': 'mine' }));
    expect(details).toEqual({
      approvalId: expect.any(String),
      url: `${test.services.config.DASHBOARD_URL}/p/${test.project.id}/approvals/${details.approvalId}`,
      expiresAt: expect.any(String),
      summary: expect.stringContaining('ann@people.test'),
    });
    expect(await emails()).toBe(0);
    const again = asked(await agent('POST', '/v1/send', body, { 'idempotency-key': 'mine' }));
    expect(again.approvalId).toBe(details.approvalId);
    const approval = await read(details.approvalId);
    expect(approval).toMatchObject({
      ...{ operation: 'sending.send', status: 'PENDING', input: body, decidedBy: null },
      requestedBy: { type: 'key', id: keyId, label: 'The agent' },
    });
    expect((await agent('GET', '/approvals')).body.data).toHaveLength(1);
    expect((await full('GET', '/approvals')).body.data).toHaveLength(0);
    expect((await full('GET', `/approvals/${details.approvalId}`)).status).toBe(404);
  });

  it('is refused what would be refused anyway, and nobody is asked', async () => {
    const before = await test.services.database.prisma.approval.count();
    expect((await agent('POST', '/v1/send', { ...mail, to: 'none' })).status).toBe(422);
    expect((await agent('POST', '/v1/send', send({ from: 'x@other.example' }))).status).toBe(403);
    expect((await agent('DELETE', `/contacts/${newId()}`)).status).toBe(404);
    expect((await agent('POST', '/v1/send', send({ wrong: 1 }))).status).toBe(422);
    expect(await test.services.database.prisma.approval.count()).toBe(before);
  });
});

describe('the send of an agent, of a campaign that a second person has to approve', () => {
  it('is one approval, which only that person can give, and which sends it', async () => {
    const { prisma } = test.services.database;
    const require = (approvalRequired: 'ALWAYS' | 'NEVER') =>
      prisma.project.update({ where: { id: test.project.id }, data: { approvalRequired } });
    const admin = await test.withSession('ADMIN');
    const made = await owner('POST', '/campaigns', { ...mail, name: 'C', audienceType: 'ALL' });
    const { id } = made.body.data ?? made.body;
    await require('ALWAYS');
    try {
      const { approvalId, expiresAt } = asked(await agent('POST', `/campaigns/${id}/send`, {}));
      expect(expiresAt).toEqual(expect.any(String));
      // The owner has written it, and a member does not approve campaigns.
      for (const by of [owner, member]) {
        const refused = await approve(approvalId, by);
        expect([refused.status, codeOf(refused)], refused.text).toEqual([403, 'FORBIDDEN']);
      }
      const done = await approve(approvalId, admin);
      expect(done.body, done.text).toMatchObject({ status: 'DONE', campaignId: id });
      expect((await prisma.campaign.findUniqueOrThrow({ where: { id } })).status).toBe('SENDING');
      expect((await owner('GET', `/campaigns/${id}`)).body.approval).toBeNull();
    } finally {
      await require('NEVER');
    }
    await full('POST', `/campaigns/${id}/cancel`);
  });

  it('fails when anything of the campaign was changed since, such as who of its audience is held out', async () => {
    const made = await full('POST', '/campaigns', { ...mail, name: 'E', audienceType: 'ALL' });
    const { id } = made.body.data ?? made.body;
    const { approvalId } = asked(await agent('POST', `/campaigns/${id}/send`, {}));
    await agent('PUT', `/campaigns/${id}`, { ...mail, name: 'E', audienceType: 'ALL', holdout: 10 });
    expect((await approve(approvalId)).body).toMatchObject({ status: 'FAILED', error: { code: 'changed' } });
  });

  it('is asked for by the agent itself, and is then as any other', async () => {
    const made = await full('POST', '/campaigns', { ...mail, name: 'D', audienceType: 'ALL' });
    const { id } = made.body.data ?? made.body;
    const requested = await agent('POST', `/campaigns/${id}/approval`, { note: 'Ready' });
    expect(requested.status, requested.text).toBe(201);
    expect(requested.body).toMatchObject({ status: 'PENDING', input: null, note: 'Ready', expiresAt: null });
    expect((await approve(requested.body.id)).body).toMatchObject({ status: 'APPROVED' });
    expect((await test.services.database.prisma.campaign.findUniqueOrThrow({ where: { id } })).status).toBe(
      'DRAFT',
    );
  });
});

describe('an approval', () => {
  it('shows what would happen, and is carried out once, by a person with the role', async () => {
    const { approvalId } = asked(
      await agent('POST', '/v1/send', send({ to: ['ann@people.test', 'bob@people.test'] })),
    );
    const preview = await owner('GET', `/approvals/${approvalId}/preview`);
    expect(preview.body, preview.text).toMatchObject({
      ...{
        refusal: null,
        total: 2,
        email: { from, subject: expect.any(String), html: expect.stringContaining('Hello') },
        workflows: [],
      },
      recipients: [
        { to: 'ann@people.test', reason: null },
        { to: 'bob@people.test', reason: null },
      ],
    });
    const before = await emails();
    const [first, second] = await Promise.all([approve(approvalId), approve(approvalId, member)]);
    expect([first.status, second.status].sort(), first.text).toEqual([200, 409]);
    const done = await read(approvalId);
    expect(done).toMatchObject({ status: 'DONE', decidedBy: { type: 'user' } });
    expect(done.result.emails).toHaveLength(2);
    expect((await emails()) - before).toBe(2);
    expect((await approve(approvalId)).status).toBe(409);
    expect((await emails()) - before).toBe(2);
  });

  it('of a command is done in the transaction of the decision, and the log names the person and the key', async () => {
    const made = await full('POST', '/templates', { ...mail, name: 'Old' });
    const { id } = made.body;
    const { approvalId } = asked(await agent('DELETE', `/templates/${id}`));
    expect((await full('GET', `/templates/${id}`)).status).toBe(200);
    const answer = await approve(approvalId);
    expect(answer.body, answer.text).toMatchObject({ status: 'DONE' });
    expect((await full('GET', `/templates/${id}`)).status).toBe(404);
    const entry = await test.services.database.prisma.auditLog.findFirstOrThrow({
      where: { operation: 'templates.delete', targetId: id },
    });
    expect(entry).toMatchObject({ actorType: 'user', actorId: test.project.ownerId, keyName: 'The agent' });
  });

  it('that a process left running is ended once', async () => {
    const { approvalId } = asked(await agent('POST', '/v1/send', send()));
    const { prisma } = test.services.database;
    const before = await emails();
    const running = {
      status: 'RUNNING',
      decidedById: test.project.ownerId,
      decidedAt: new Date(Date.now() - 120_000),
    } as const;
    await prisma.approval.update({ where: { id: approvalId }, data: running });
    await Promise.all([endInterruptedApprovals(test.services), endInterruptedApprovals(test.services)]);
    expect(await read(approvalId)).toMatchObject({ status: 'DONE' });
    // Killed between the email and the state: the email is there, and is not made again.
    await prisma.approval.update({ where: { id: approvalId }, data: { ...running, result: {} } });
    await endInterruptedApprovals(test.services);
    expect(await read(approvalId)).toMatchObject({ status: 'DONE', result: { emails: [expect.anything()] } });
    expect((await emails()) - before).toBe(1);
  });

  it('that was left running until its key could be gone is never carried out again: what became of it is unknown', async () => {
    const { approvalId } = asked(await agent('POST', '/v1/send', send()));
    const { prisma } = test.services.database;
    expect((await approve(approvalId)).status).toBe(200);
    const before = await emails();
    const hour = 3_600_000;
    const left = {
      status: 'RUNNING',
      result: {},
      decidedById: test.project.ownerId,
      decidedAt: new Date(Date.now() - test.services.config.IDEMPOTENCY_TTL_HOURS * hour),
    } as const;
    await prisma.approval.update({ where: { id: approvalId }, data: left });
    // While the key is there, it is known.
    await endInterruptedApprovals(test.services);
    expect(await read(approvalId)).toMatchObject({ status: 'DONE', result: { emails: [expect.anything()] } });
    await prisma.approval.update({ where: { id: approvalId }, data: left });
    await prisma.idempotencyKey.deleteMany({ where: { projectId: test.project.id } });
    await endInterruptedApprovals(test.services);
    expect(await read(approvalId)).toMatchObject({ status: 'FAILED', error: { code: 'unknown_outcome' } });
    expect(await emails()).toBe(before);
  });

  it.each<[string, () => Promise<{ request: Promise<Answer>; change: () => Promise<Answer> }>]>([
    [
      'the campaign',
      async () => {
        const made = await full('POST', '/campaigns', { ...mail, name: 'C', audienceType: 'ALL' });
        const { id } = made.body.data ?? made.body;
        return {
          request: agent('POST', `/campaigns/${id}/send`, {}),
          change: () =>
            full('PUT', `/campaigns/${id}`, { ...mail, name: 'C', audienceType: 'ALL', body: '<p>X</p>' }),
        };
      },
    ],
    [
      'the segment of the campaign',
      async () => {
        const segment = await full('POST', '/segments', { name: `S${newId()}`, condition });
        const made = await full('POST', '/campaigns', {
          ...{ ...mail, name: 'C', audienceType: 'SEGMENT', segmentId: segment.body.id },
        });
        const { id } = made.body.data ?? made.body;
        const other = JSON.parse(JSON.stringify(condition).replace('"@"', '"ann"'));
        return {
          request: agent('POST', `/campaigns/${id}/send`, {}),
          change: () => full('PATCH', `/segments/${segment.body.id}`, { condition: other }),
        };
      },
    ],
    [
      'the template of the send',
      async () => {
        const { id } = (await full('POST', '/templates', { ...mail, name: 'T' })).body;
        return {
          request: agent('POST', '/v1/send', { to: 'ann@people.test', template: id }),
          change: () => full('PATCH', `/templates/${id}`, { body: '<p>Other</p>' }),
        };
      },
    ],
    [
      'the step of the workflow',
      async () => {
        const { id } = (await full('POST', '/workflows', { name: 'W', eventName: 'x' })).body;
        const step = { type: 'DELAY', name: 'Wait', position: { x: 0, y: 0 } };
        const config = { amount: 1, unit: 'days' };
        const { body } = await full('POST', `/workflows/${id}/steps`, { ...step, config });
        return {
          request: agent('PATCH', `/workflows/${id}`, { enabled: true }),
          change: () =>
            full('PATCH', `/workflows/${id}/steps/${body.id}`, { config: { amount: 2, unit: 'days' } }),
        };
      },
    ],
  ])('fails as changed when %s has changed since', async (_what, prepare) => {
    const { request, change } = await prepare();
    const { approvalId } = asked(await request);
    const before = await emails();
    const changed = await change();
    expect(changed.status, changed.text).toBe(200);
    await approve(approvalId);
    expect(await read(approvalId)).toMatchObject({ status: 'FAILED', error: { code: 'changed' } });
    expect(await emails()).toBe(before);
    expect(await test.services.database.prisma.workflow.count({ where: { enabled: true } })).toBe(0);
  });

  it('of an unchanged campaign sends it', async () => {
    const made = await full('POST', '/campaigns', { ...mail, name: 'C', audienceType: 'ALL' });
    const { id } = made.body.data ?? made.body;
    const { approvalId, summary } = asked(await agent('POST', `/campaigns/${id}/send`, {}));
    expect(summary).toMatch(/campaign/i);
    const answer = await approve(approvalId);
    expect(answer.body, answer.text).toMatchObject({ status: 'DONE', campaignId: id });
    expect((await full('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENDING' });
    await full('POST', `/campaigns/${id}/cancel`);
  });

  it('is not given by a key, by a role that may not do it, by a project that is not its own, or for another hash', async () => {
    const { approvalId } = asked(
      await agent('POST', '/webhook-endpoints', { url: 'https://stranger.example/' }),
    );
    const { hash } = await read(approvalId);
    const path = `/approvals/${approvalId}/approve`;
    expect((await agent('POST', path, { hash })).status).toBe(401);
    expect((await full('POST', path, { hash })).status).toBe(401);
    expect((await agent('POST', `/approvals/${approvalId}/decline`, {})).status).toBe(401);
    expect((await agent('GET', `/approvals/${approvalId}/preview`)).status).toBe(401);
    expect((await member('POST', path, { hash })).status).toBe(403);
    const other = await createTestProject(test.services, { name: 'Other' });
    const foreign = test.withKey((await makeKey(test, other)).key);
    expect((await foreign('GET', `/approvals/${approvalId}`)).status).toBe(404);
    expect((await owner('POST', path, { hash: 'a'.repeat(64) })).status).toBe(409);
    expect((await owner('POST', path, {})).status).toBe(422);
    expect((await full('GET', '/webhook-endpoints')).body).toEqual([]);
    expect((await owner('POST', `/approvals/${approvalId}/decline`, { reason: 'No' })).body).toMatchObject({
      ...{ status: 'DECLINED', reason: 'No' },
    });
    expect((await owner('POST', path, { hash })).status).toBe(409);
    expect((await full('GET', '/webhook-endpoints')).body).toEqual([]);
  });

  it('fails when the key that asked is gone', async () => {
    const gone = await makeKey(test, test.project);
    const { approvalId } = asked(await test.withKey(gone.key)('POST', '/v1/send', send()));
    await test.services.database.prisma.apiKey.delete({ where: { id: gone.id } });
    const before = await emails();
    await approve(approvalId);
    expect(await read(approvalId)).toMatchObject({ status: 'FAILED', error: { code: 'changed' } });
    expect(await emails()).toBe(before);
  });

  it('expires', async () => {
    const { approvalId } = asked(await agent('POST', '/v1/send', send()));
    await test.services.database.prisma.approval.update({
      where: { id: approvalId },
      data: { expiresAt: new Date(0) },
    });
    expect(await read(approvalId)).toMatchObject({ status: 'EXPIRED' });
    expect((await approve(approvalId)).status).toBe(409);
    expect((await owner('GET', '/approvals?status=EXPIRED')).body.data).toHaveLength(1);
  });

  it('is told to owners and admins at most once an hour', async () => {
    const { prisma } = test.services.database;
    const told = await prisma.approval.count({
      where: { projectId: test.project.id, toldAt: { not: null } },
    });
    expect(told).toBe(1);
  });
});

describe('events and contacts', () => {
  it('run while nothing listens, and wait as soon as something does', async () => {
    const event = { email: 'ann@people.test', event: 'bought' };
    expect((await agent('POST', '/events/track', event)).status).toBeLessThan(300);
    expect((await agent('POST', '/contacts', { email: 'fresh@people.test' })).status).toBe(201);
    const { id } = (await full('POST', '/workflows', { name: 'Listens', eventName: 'bought' })).body;
    await full('POST', `/workflows/${id}/steps`, {
      ...{ type: 'DELAY', name: 'Wait', position: { x: 0, y: 0 }, config: { amount: 1, unit: 'days' } },
    });
    expect((await full('PATCH', `/workflows/${id}`, { enabled: true })).status).toBe(200);
    const { approvalId } = asked(await agent('POST', '/events/track', event));
    expect((await owner('GET', `/approvals/${approvalId}/preview`)).body.workflows).toEqual([
      { id, name: 'Listens' },
    ]);
    expect((await agent('POST', '/events/track', { ...event, event: 'other' })).status).toBeLessThan(300);
    asked(await agent('POST', `/workflows/${id}/executions`, { contactId: 'ann@people.test' }));
    asked(await agent('PATCH', `/workflows/${id}`, { name: 'Changed' }));
    expect((await agent('PATCH', `/workflows/${id}`, { enabled: false })).status).toBe(200);
  });

  it('wait where an opt-out would be lifted', async () => {
    await full('POST', '/contacts', { email: 'out@people.test', subscribed: false });
    expect(
      (await agent('POST', '/contacts', { email: 'out@people.test', data: { a: 1 } })).status,
    ).toBeLessThan(300);
    asked(await agent('POST', '/contacts', { email: 'out@people.test', subscribed: true }));
    asked(await agent('POST', '/events/track', { email: 'out@people.test', event: 'x', subscribed: true }));
    const { id } = (await full('GET', '/contacts/out@people.test')).body;
    asked(await agent('PATCH', `/contacts/${id}`, { subscribed: true }));
    expect((await full('GET', `/contacts/${id}`)).body.subscribed).toBe(false);
  });

  it('wait where a tracked segment listens', async () => {
    const tracked = await full('POST', '/segments', { name: 'Tracked', condition, trackMembership: true });
    asked(await agent('POST', '/contacts', { email: 'another@people.test' }));
    asked(await agent('PATCH', `/segments/${tracked.body.id}`, { name: 'Renamed' }));
    asked(await agent('POST', '/segments', { name: 'Mine', condition, trackMembership: true }));
    expect((await agent('POST', '/segments', { name: 'Mine', condition })).status).toBe(201);
    await full('DELETE', `/segments/${tracked.body.id}`);
  });
});

describe('attempts to get around it', () => {
  it('none of a hundred sends or deletes without a person', async () => {
    const { prisma } = test.services.database;
    const template = (await full('POST', '/templates', { ...mail, name: 'T' })).body.id;
    const made = await full('POST', '/campaigns', { ...mail, name: 'C', audienceType: 'ALL' });
    const campaign = (made.body.data ?? made.body).id;
    const segment = (await full('POST', '/segments', { name: 'Kept', condition })).body.id;
    const contact = (await full('GET', '/contacts/ann@people.test')).body.id;
    const endpoint = (await full('POST', '/webhook-endpoints', { url: 'https://ours.example.com/' })).body.id;
    const workflow = (await full('POST', '/workflows', { name: 'Live', eventName: 'live' })).body.id;
    const wait = {
      type: 'DELAY',
      name: 'Wait',
      position: { x: 0, y: 0 },
      config: { amount: 1, unit: 'days' },
    };
    const step = (await full('POST', `/workflows/${workflow}/steps`, wait)).body.id;
    await full('PATCH', `/workflows/${workflow}`, { enabled: true });
    await full('POST', '/suppressions', { emails: ['blocked@people.test'] });
    const gql = (query: string, headers = {}) => agent('POST', '/graphql', { query }, headers);
    const project = test.project.id;
    const attempts: (() => Promise<Answer>)[] = [
      () => agent('POST', '/v1/send', send()),
      () => agent('POST', '/v1/send', send({ template, subject: undefined, body: undefined })),
      () => agent('POST', '/v1/send', send({ scheduledAt: new Date(Date.now() + 60_000).toISOString() })),
      () => agent('POST', '/v1/send', send({ to: 'delivered@postrider.test' })),
      () => agent('POST', '/v1/send', send(), { 'dry-run': 'false' }),
      () => agent('POST', '/v1/send', send(), { 'dry-run': 'no' }),
      () => agent('POST', '/v1/send', send(), { 'idempotency-key': 'approval‑1' }),
      () => agent('POST', '/v1/send?dryRun=true', send()),
      () => agent('POST', '/v1/track', { email: 'ann@people.test', event: 'live' }),
      () => agent('POST', '/events/track', { email: 'ann@people.test', event: 'live' }),
      () => agent('POST', '/events/track', { name: 'live', contactId: contact }),
      () => agent('POST', `/workflows/${workflow}/executions`, { contactId: contact }),
      () => agent('POST', `/workflows/${workflow}/steps`, wait),
      () => agent('PATCH', `/workflows/${workflow}/steps/${step}`, { name: 'X' }),
      () => agent('DELETE', `/workflows/${workflow}/steps/${step}`),
      () => agent('PATCH', `/workflows/${workflow}`, { enabled: true, name: 'X' }),
      () => agent('DELETE', `/workflows/${workflow}`),
      () => agent('POST', `/campaigns/${campaign}/send`, {}),
      () =>
        agent('POST', `/campaigns/${campaign}/send`, {
          scheduledFor: new Date(Date.now() + 60_000).toISOString(),
        }),
      () => agent('POST', `/campaigns/${campaign}/test`, { email: 'ann@people.test' }),
      () => agent('POST', `/campaigns/${campaign}/retry`, {}),
      () => agent('DELETE', `/campaigns/${campaign}`),
      () => agent('DELETE', `/templates/${template}`),
      () => agent('DELETE', `/contacts/${contact}`),
      () => agent('DELETE', '/contacts/ann@people.test'),
      () => agent('DELETE', `/segments/${segment}`),
      () => agent('POST', `/segments/${segment}/compute`),
      () => agent('PATCH', `/segments/${segment}`, { trackMembership: true }),
      () => agent('POST', '/contacts/bulk-delete', { contactIds: [contact] }),
      () => agent('POST', '/contacts/bulk-subscribe', { contactIds: [contact] }),
      () => agent('POST', '/contacts/bulk-unsubscribe', { contactIds: [contact] }),
      () => agent('DELETE', '/suppressions/blocked@people.test'),
      () => agent('DELETE', '/events/live'),
      () => agent('POST', '/exports', { type: 'contacts' }),
      () => agent('POST', '/webhook-endpoints', { url: 'https://stranger.example/' }),
      () => agent('PATCH', `/webhook-endpoints/${endpoint}`, { url: 'https://stranger.example/' }),
      () => agent('POST', `/webhook-endpoints/${endpoint}/test`),
      () => agent('POST', `/webhook-endpoints/${endpoint}/rotate-secret`),
      () => agent('DELETE', `/webhook-endpoints/${endpoint}`),
      () => agent('POST', '/domains', { domain: 'new.example.com' }),
      () => agent('DELETE', `/domains/${newId()}`),
      () => agent('POST', '/graphql/persisted', { documents: ['{ contact(id: "a") { id } }'] }),
      () => agent('POST', `/users/@me/projects/${project}/keys`, { name: 'K', scope: 'full' }),
      () => agent('POST', `/users/@me/projects/${project}/regenerate-keys`),
      () => agent('DELETE', `/users/@me/projects/${project}`),
      () => agent('POST', `/users/@me/projects/${project}/reset`),
      () =>
        gql(
          `mutation { sendEmail(input: { to: "ann@people.test", subject: "S", body: "B", from: "${from}" }) { timestamp } }`,
        ),
      () => gql(`mutation { a: deleteContact(id: "${contact}") }`),
      () => gql(`mutation { a: deleteTemplate(id: "${template}") b: deleteCampaign(id: "${campaign}") }`),
      () => gql(`mutation { a: deleteContact(id: "${contact}") }`, { 'x-approved-by': 'owner' }),
    ];
    const before = [
      await emails(),
      await prisma.template.count(),
      await prisma.contact.count(),
      await prisma.campaign.count(),
    ];
    for (const round of [1, 2])
      for (const [n, attempt] of attempts.entries()) {
        const answer = await attempt();
        const code = codeOf(answer);
        expect(
          [
            'APPROVAL_REQUIRED',
            'FORBIDDEN',
            'UNAUTHORIZED',
            'INVALID_API_KEY',
            'BAD_REQUEST',
            'VALIDATION_ERROR',
            'CONFLICT',
            'RESOURCE_NOT_FOUND',
            undefined,
          ],
          `${round}/${n}: ${answer.text}`,
        ).toContain(code);
        if (code === undefined) expect([200, 201, 202, 204], `${round}/${n}`).toContain(answer.status);
      }
    expect([
      await emails(),
      await prisma.template.count(),
      await prisma.contact.count(),
      await prisma.campaign.count(),
    ]).toEqual(before);
    expect(await prisma.apiKey.count({ where: { scope: 'full' } })).toBe(0);
    expect((await full('GET', '/webhook-endpoints')).body.map(({ url }: Json) => url)).toEqual([
      'https://ours.example.com/',
    ]);
    expect(await prisma.suppression.count()).toBe(1);
    expect(await prisma.workflowExecution.count()).toBe(0);
  });

  it('at most a hundred wait', async () => {
    for (let n = 0; n < 100; n += 1) {
      const answer = await agent('POST', '/v1/send', send());
      if (codeOf(answer) === 'CONFLICT') break;
      asked(answer);
    }
    const full_ = await agent('POST', '/v1/send', send());
    expect([full_.status, codeOf(full_)]).toEqual([409, 'CONFLICT']);
    expect(
      await test.services.database.prisma.approval.count({
        where: { status: 'PENDING', projectId: test.project.id },
      }),
    ).toBe(100);
  });
});
