import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import { cancelOfDisabledProject } from '../../automation/campaigns/campaigns.store.ts';
import { cancelCampaign } from '../../automation/campaigns/index.ts';
import { systemContext } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { disableProject } from '../../people/projects/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  getWebhookDelivery,
  listEndpoints,
  listWebhookDeliveries,
  replayWebhookDelivery,
  rotateEndpointSecret,
  sweepWebhookDeliveries,
  testEndpoint,
  updateEndpoint,
} from './index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: 'localhost:9000' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const url = 'https://hooks.example.com/postrider';
const endpoint = (types?: string[]) => createEndpoint.run(project.ctx, { url, ...(types && { types }) });

/** The payloads queued for an endpoint, oldest first. */
async function queued(id: string) {
  const { data } = await listWebhookDeliveries.run(project.ctx, { id, limit: 100 });
  return data.map(({ payload }) => payload).reverse();
}
const typesFor = async (id: string) => (await queued(id)).map(({ type }) => type).sort();

describe('an endpoint', () => {
  it('shows its secret when it is created and when that is replaced, and at no other time', async () => {
    const { secret, ...created } = await endpoint(['email.sent', 'email.sent']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({ url, types: ['email.sent'], enabled: true, disabledReason: null });
    expect(await getEndpoint.run(project.ctx, created)).toEqual(created);
    expect(await listEndpoints.run(project.ctx, {})).toEqual([created]);
    const rotated = await rotateEndpointSecret.run(project.ctx, created);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const row = await test.services.database.prisma.webhookEndpoint.findUniqueOrThrow({
      where: { id: created.id },
    });
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    expect(JSON.stringify(row)).not.toContain(rotated.secret.slice(6));
  });

  it('is changed, disabled and deleted', async () => {
    const { id } = await endpoint();
    const change = { id, url: `${url}/2`, description: 'CRM', types: ['email.open'], enabled: false };
    expect(await updateEndpoint.run(project.ctx, change)).toMatchObject(change);
    expect(await updateEndpoint.run(project.ctx, { id, description: null })).toMatchObject({
      description: null,
      types: ['email.open'],
    });
    await expect(testEndpoint.run(project.ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await deleteEndpoint.run(project.ctx, { id })).toEqual({});
    await expect(getEndpoint.run(project.ctx, { id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it.each([
    'http://127.0.0.1/',
    'http://10.1.2.3/hook',
    'http://[::1]/',
    'http://localhost/',
    'http://app.localhost:3000/',
    'http://db.internal/',
    'http://2130706433/',
    'http://localhost:9001/',
  ])('with the address %s, which can only be private, is refused', async (address) => {
    const refused = { code: 'VALIDATION_ERROR', errors: [{ field: 'url', code: 'invalid_string' }] };
    await expect(createEndpoint.run(project.ctx, { url: address })).rejects.toMatchObject(refused);
    const { id } = await endpoint();
    await expect(updateEndpoint.run(project.ctx, { id, url: address })).rejects.toMatchObject(refused);
  });

  it('may have an exempt host, or a name that resolves to anything', async () => {
    for (const address of ['http://localhost:9000/', 'https://unknown.example/'])
      expect(await createEndpoint.run(project.ctx, { url: address })).toMatchObject({ url: address });
  });

  it.each([
    [{ url: 'ftp://example.com' }, 'url', 'invalid_string'],
    [{ url: '' }, 'url', 'required'],
    [{ url, types: [] }, 'types', 'too_small'],
    [{ url, types: ['email.opened'] }, 'types.0', 'invalid_enum_value'],
  ])('with %j is refused', async (input, field, code) => {
    await expect(createEndpoint.run(project.ctx, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
  });

  it('is one of 20 at most, even if they are created at the same time', async () => {
    const results = await Promise.allSettled(Array.from({ length: 22 }, () => endpoint()));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toMatchObject([{ code: 'CONFLICT' }, { code: 'CONFLICT' }]);
    expect(await listEndpoints.run(project.ctx, {})).toHaveLength(20);
  });

  it('is read by every member and written by owners, admins and the secret key', async () => {
    const { id } = await endpoint();
    const member = await project.userCtx('MEMBER');
    expect(await listEndpoints.run(member, {})).toHaveLength(1);
    for (const write of [
      () => createEndpoint.run(member, { url }),
      () => updateEndpoint.run(member, { id, enabled: false }),
      () => rotateEndpointSecret.run(member, { id }),
      () => testEndpoint.run(member, { id }),
      () => deleteEndpoint.run(member, { id }),
    ])
      await expect(write()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await testEndpoint.run(await project.userCtx('ADMIN'), { id })).toHaveProperty('deliveryId');
  });

  it('of another project is unknown, and so are its deliveries', async () => {
    const { id } = await endpoint();
    const { deliveryId } = await testEndpoint.run(project.ctx, { id });
    const other = await createTestProject(test.services);
    for (const call of [
      () => getEndpoint.run(other.ctx, { id }),
      () => deleteEndpoint.run(other.ctx, { id }),
      () => listWebhookDeliveries.run(other.ctx, { id }),
      () => getWebhookDelivery.run(other.ctx, { id, deliveryId }),
      () => replayWebhookDelivery.run(other.ctx, { id, deliveryId }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('a delivery is queued with its event', () => {
  const track = (event: string, data: Record<string, unknown> = {}) =>
    trackEvent.run(project.publicCtx, { email: 'ann@a.test', event, data });

  it('for each endpoint that asks for its type, with the data of the event and its contact', async () => {
    const [all, paid, other] = [
      await endpoint(),
      await endpoint(['event.paid']),
      await endpoint(['event.x']),
    ];
    const { contact } = await track('paid', { amount: 12 });
    const payload = {
      type: 'event.paid',
      kind: 'event',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { amount: 12, contact: { id: contact, email: 'ann@a.test', externalId: null } },
    };
    expect(await queued(paid.id)).toEqual([payload]);
    expect(await typesFor(all.id)).toEqual(['event.paid']);
    expect(await queued(other.id)).toEqual([]);
  });

  it('and not without the event: when its transaction is rolled back, nothing is queued', async () => {
    const { id } = await endpoint();
    const rolledBack = test.services.database.prisma.$transaction(async (db) => {
      await db.event.create({ data: { id: newId(), projectId: project.id, name: 'paid' } });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await queued(id)).toEqual([]);
  });

  it('unless the endpoint is disabled, or belongs to another project', async () => {
    const { id } = await endpoint();
    await updateEndpoint.run(project.ctx, { id, enabled: false });
    const other = await createTestProject(test.services);
    const elsewhere = await createEndpoint.run(other.ctx, { url });
    await track('paid');
    expect(await queued(id)).toEqual([]);
    expect((await listWebhookDeliveries.run(other.ctx, elsewhere)).data).toEqual([]);
  });

  it('for system events, and for what happens to campaigns, domains, workflows and the project', async () => {
    const { id } = await endpoint();
    const { prisma } = test.services.database;
    await track('paid');
    await trackEvent.run(project.publicCtx, { email: 'ann@a.test', event: 'x', subscribed: false });
    const campaignId = await sendingCampaign(test.services, project.id);
    await cancelCampaign.run(project.ctx, { id: campaignId });
    const otherId = await sendingCampaign(test.services, project.id);
    for (const name of [
      'email.failed',
      'email.skipped',
      'campaign.sent',
      'workflow.completed',
      'workflow.started',
    ])
      await prisma.event.create({ data: { id: newId(), projectId: project.id, kind: 'ACTIVITY', name } });
    await disableProject.run(systemContext(test.services), { id: project.id, reason: 'MANUAL' });
    await cancelOfDisabledProject(prisma, project.id);
    expect(await typesFor(id)).toEqual([
      'campaign.cancelled',
      'campaign.cancelled',
      'campaign.sent',
      'contact.unsubscribed',
      'email.failed',
      'email.skipped',
      'event.paid',
      'event.x',
      'project.disabled',
      'workflow.completed',
    ]);
    const payloads = await queued(id);
    expect(
      payloads.filter(({ type }) => type === 'campaign.cancelled').map(({ data }) => data),
    ).toMatchObject([
      { campaignId, reason: null, contact: null },
      { campaignId: otherId, reason: 'project_disabled', contact: null },
    ]);
    expect(payloads.find(({ type }) => type === 'project.disabled')?.data).toEqual({
      projectId: project.id,
      projectName: project.project.name,
      reason: 'MANUAL',
      contact: null,
    });
  });

  it('and is erased with its contact', async () => {
    const { id } = await endpoint();
    const { contact } = await track('paid');
    await trackEvent.run(project.publicCtx, { email: 'ben@a.test', event: 'paid' });
    await deleteContact.run(project.ctx, { id: contact });
    expect((await queued(id)).map(({ data }) => data['contact'])).toMatchObject([{ email: 'ben@a.test' }]);
  });

  it('and is removed after 30 days', async () => {
    const { id } = await endpoint();
    await track('paid');
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    await sweepWebhookDeliveries(test.services, days(29), 1_000);
    expect(await queued(id)).toHaveLength(1);
    await sweepWebhookDeliveries(test.services, days(31), 1_000);
    expect(await queued(id)).toEqual([]);
  });
});

it('the list of deliveries is filtered by state and type, and read page by page', async () => {
  const { id } = await endpoint();
  for (let count = 0; count < 3; count += 1) await testEndpoint.run(project.ctx, { id });
  const first = await listWebhookDeliveries.run(project.ctx, { id, limit: 2, type: 'webhook.test' });
  expect(first).toMatchObject({ hasMore: true, total: 3 });
  const next = { id, limit: 2, type: 'webhook.test', cursor: first.cursor };
  const second = await listWebhookDeliveries.run(project.ctx, next);
  expect(second).toMatchObject({ hasMore: false, data: [{ status: 'PENDING', attempts: [] }] });
  expect((await listWebhookDeliveries.run(project.ctx, { id, status: 'FAILED' })).data).toEqual([]);
});
