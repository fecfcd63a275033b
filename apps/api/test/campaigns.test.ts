import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Statuses and shapes of templates, campaigns and suppressions over HTTP (behaviour B4.6, B4.7, B4.20). */
let test: TestApp;
let send: Send;

const from = 'hello@campaigns.example.com';
const mail = { subject: 'Hello', body: '<p>Hello</p>', from };
const draft = { ...mail, name: 'Draft', audienceType: 'ALL' };

beforeAll(async () => {
  test = await startApp();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'campaigns.example.com');
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

const created = async (input: object = {}): Promise<string> =>
  (await send('POST', '/campaigns', { ...draft, ...input })).body.data.id;
const owner = async () =>
  (
    await test.services.database.prisma.user.findUniqueOrThrow({
      where: { id: test.project.ownerId },
    })
  ).email;

describe('templates', () => {
  it('are changed, copied, listed and deleted', async () => {
    const { body } = await send('POST', '/templates', { ...mail, name: 'Welcome' });
    const path = `/templates/${body.id}`;
    const unchanged = await send('PATCH', path, {});
    expect([unchanged.status, unchanged.body]).toEqual([200, body]);
    const changed = await send('PATCH', path, { subject: 'New', description: 'note' });
    expect(changed.body).toMatchObject({ subject: 'New', description: 'note', name: 'Welcome' });
    const copy = await send('POST', `${path}/duplicate`);
    expect([copy.status, copy.body.name]).toEqual([201, 'Welcome (Copy)']);
    const usage = await send('GET', `${path}/usage`);
    expect([usage.status, usage.body]).toEqual([
      200,
      { campaigns: [], workflowSteps: [], emailsSent: 0, canDelete: true },
    ]);
    const gone = await send('DELETE', path);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(codeOf(await send('GET', path))).toBe('TEMPLATE_NOT_FOUND');
  });
});

describe('campaigns', () => {
  it('are replaced, copied and deleted', async () => {
    const id = await created({ description: 'note' });
    const replaced = await send('PUT', `/campaigns/${id}`, { ...draft, name: 'New' });
    expect([replaced.status, replaced.body.name, replaced.body.description]).toEqual([200, 'New', null]);
    const copy = await send('POST', `/campaigns/${id}/duplicate`);
    expect([copy.status, copy.body.name, copy.body.status]).toEqual([201, 'New (Copy)', 'DRAFT']);
    const gone = await send('DELETE', `/campaigns/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(codeOf(await send('GET', `/campaigns/${id}`))).toBe('CAMPAIGN_NOT_FOUND');
  });

  it('return their audience and their recipients, and can be retried', async () => {
    await send('POST', '/contacts', { email: 'ada@example.com' });
    const id = await created();
    expect((await send('GET', `/campaigns/${id}/audience`)).body).toEqual({
      matched: 1,
      willSend: 1,
      ...{ included: null, excluded: null },
      skipped: { unsubscribed: 0, topic: 0, suppressed: 0, invalid: 0 },
      notSubscribed: { unsubscribed: 0, never: 0, pending: 0, snoozed: 0 },
    });
    expect((await send('GET', `/campaigns/${id}/recipients`)).body).toEqual({
      data: [],
      cursor: null,
      hasMore: false,
      total: 0,
      expired: false,
    });
    expect((await send('GET', `/campaigns/${id}/recipients?type=lost`)).status).toBe(400);
    expect((await send('POST', `/campaigns/${id}/retry`, { statuses: ['FAILED'] })).status).toBe(409);
    expect((await send('POST', `/campaigns/${id}/retry`, { statuses: [] })).status).toBe(422);
    const started = await send('POST', `/campaigns/${id}/send`);
    expect([started.status, started.body.message]).toEqual([200, 'Campaign is being sent']);
    const retried = await send('POST', `/campaigns/${id}/retry`, { statuses: ['FAILED'] });
    expect([retried.status, retried.body]).toEqual([202, { requeued: 0 }]);
    expect((await send('DELETE', `/campaigns/${id}`)).status).toBe(409);
    expect((await send('POST', `/campaigns/${id}/cancel`)).body.status).toBe('CANCELLED');
  });

  it('are checked before they are sent, stored or not, with the same result', async () => {
    await send('POST', '/contacts', { email: 'ada@example.com' });
    const input = { ...draft, type: 'HEADLESS' };
    const { status, body } = await send('POST', '/campaigns/preflight', input);
    expect([status, body]).toEqual([
      200,
      {
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        ok: false,
        recipients: 1,
        recipientsByBasis: { confirmed: 0, given: 0, customer: 0, default: 1, unknown: 0 },
        findings: [
          {
            ...{ rule: 'unsubscribe_missing', level: 'error', blocks: false, field: 'type', offset: null },
            ...{ message: expect.stringContaining('{{unsubscribeUrl}}'), details: {} },
          },
          {
            ...{ rule: 'postal_address_missing', level: 'error', blocks: false, field: null, offset: null },
            ...{ message: expect.stringContaining('postal address'), details: {} },
          },
          {
            ...{
              rule: 'basis_unknown',
              level: 'warning',
              blocks: false,
              field: 'audienceType',
              offset: null,
            },
            ...{ message: expect.stringContaining('1 recipient'), details: { count: 1 } },
          },
          {
            ...{ rule: 'preheader_missing', level: 'hint', blocks: false, field: 'preheader', offset: null },
            ...{ message: expect.stringContaining('preheader'), details: {} },
          },
        ],
      },
    ]);
    const id = await created(input);
    expect((await send('POST', `/campaigns/${id}/preflight`)).body).toEqual(body);
    expect((await send('POST', '/campaigns/preflight', { ...input, subject: '' })).status).toBe(422);
    const unknownRule = await send('POST', `/campaigns/${id}/send`, { acknowledge: ['everything'] });
    expect(unknownRule.body.error.errors).toMatchObject([
      { field: 'acknowledge.0', code: 'invalid_enum_value' },
    ]);
  });

  it('send test emails only to members, with the footer of their type and inert links', async () => {
    const id = await created();
    const email = await owner();
    const answer = await send('POST', `/campaigns/${id}/test`, { email });
    expect([answer.status, answer.body]).toEqual([200, { emailId: expect.any(String), to: email }]);
    const stored = (await send('GET', `/emails/${answer.body.emailId}`)).body;
    expect(stored).toMatchObject({ sourceType: 'TEST', subject: '[TEST] Hello', campaignId: null });
    const { html } = (await send('GET', `/emails/${answer.body.emailId}/preview`)).body;
    const link = /\/u\/[^"/]+/.exec(html)?.[0];
    expect(link).toBeDefined();
    expect((await test.anyone('POST', `${link}/unsubscribe`)).status).toBe(200);
    const refused = await send('POST', `/campaigns/${id}/test`, { email: 'ada@example.com' });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('suppressions', () => {
  const undiagnosed = { class: null, text: null, expiresAt: null };
  it('are added by hand', async () => {
    const email = 'by-hand@example.com';
    const added = await send('POST', '/suppressions', { emails: [email, 'no address'] });
    expect([added.status, added.body]).toEqual([200, { added: 1, existing: 0, invalid: ['no address'] }]);
    const { data } = (await send('GET', '/suppressions?reason=MANUAL')).body;
    expect(data).toEqual([
      { email, reason: 'MANUAL', emailId: null, ...undiagnosed, createdAt: expect.any(String) },
    ]);
    expect((await send('POST', '/suppressions', { emails: [] })).status).toBe(422);
    expect((await send('POST', '/suppressions', { emails: [email], reason: 'X' })).status).toBe(422);
    expect((await send('DELETE', `/suppressions/${email}`)).status).toBe(204);
  });

  it('are listed and removed', async () => {
    await test.services.database.prisma.suppression.create({
      data: { projectId: test.project.id, email: 'a+b@example.com', reason: 'BOUNCE' },
    });
    const listed = await send('GET', '/suppressions?reason=BOUNCE');
    expect(listed.body).toEqual({
      data: [
        {
          email: 'a+b@example.com',
          reason: 'BOUNCE',
          emailId: null,
          ...undiagnosed,
          createdAt: expect.any(String),
        },
      ],
      cursor: null,
      hasMore: false,
      total: 1,
    });
    expect((await send('GET', '/suppressions?reason=X')).status).toBe(400);
    const path = `/suppressions/${encodeURIComponent('a+b@example.com')}`;
    expect((await send('DELETE', path)).status).toBe(204);
    const again = await send('DELETE', path);
    expect([again.status, codeOf(again)]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });
});

describe('the local time of a campaign', () => {
  const at = '2099-03-01T09:30';
  const localTime = { at, whenPassed: 'NOW' };

  it('is set by REST and GraphQL, told by both, and cleared', async () => {
    const email = 'zone@campaigns.example.com';
    await send('POST', '/contacts', { email, subscribed: true });
    const id = await created();
    const sent = await send('POST', `/campaigns/${id}/send`, { localTime: at, whenPassed: 'NOW' });
    // Clocks are 14 hours ahead in the first zone.
    const scheduledFor = '2099-02-28T19:30:00.000Z';
    expect(sent.body).toMatchObject({
      data: { status: 'SCHEDULED', scheduledFor, localTime },
      message: `Campaign scheduled for ${scheduledFor}`,
    });
    expect((await send('GET', `/campaigns/${id}`)).body).toMatchObject({ scheduledFor, localTime });
    const calendar = await send('GET', '/campaigns/calendar?from=2099-02-28&to=2099-02-28');
    expect(calendar.body).toMatchObject({
      items: [{ kind: 'campaign', id, at: scheduledFor, status: 'SCHEDULED', localTime }],
      truncated: false,
    });
    expect((await send('GET', `/campaigns/${id}/stats`)).body).toMatchObject({ waves: [] });
    expect((await send('POST', `/campaigns/${id}/unschedule`)).body).toMatchObject({ localTime: null });
    const { body } = await send('POST', '/graphql', {
      query: `mutation ($input: SendCampaignInput!) { sendCampaign(input: $input) { status scheduledFor localTime { at whenPassed } } }`,
      variables: { input: { id, localTime: at } },
    });
    expect(body.data).toEqual({
      sendCampaign: { status: 'SCHEDULED', scheduledFor, localTime: { at, whenPassed: 'NEXT_DAY' } },
    });
    const read = await send('POST', '/graphql', {
      query: `{ campaignCalendar(from: "2099-02-28", to: "2099-02-28") { truncated items { kind name audience localTime { at } } } }`,
    });
    expect(read.body.data).toEqual({
      campaignCalendar: {
        truncated: false,
        items: [{ kind: 'campaign', name: 'Draft', audience: 'All contacts', localTime: { at } }],
      },
    });
  });

  it('is refused where it says nothing', async () => {
    const id = await created();
    const both = await send('POST', `/campaigns/${id}/send`, {
      localTime: at,
      scheduledFor: '2099-01-01T00:00:00Z',
    });
    expect([both.status, codeOf(both)]).toEqual([422, 'VALIDATION_ERROR']);
    const over = await send('POST', `/campaigns/${id}/send`, { localTime: '2020-01-01T09:00' });
    expect([over.status, codeOf(over)]).toEqual([400, 'BAD_REQUEST']);
    expect((await send('GET', '/campaigns/calendar?from=2099-01-01&to=2099-06-01')).status).toBe(422);
  });
});

describe('GraphQL', () => {
  it('changes campaigns and pages through recipients and suppressions', async () => {
    const id = await created();
    const graphql = async (query: string, variables?: object) =>
      (await send('POST', '/graphql', { query, variables })).body;
    const updated = await graphql(
      'mutation ($input: UpdateCampaignInput!) { updateCampaign(input: $input) { name audienceType } }',
      { input: { ...draft, id, name: 'By GraphQL' } },
    );
    expect(updated.data).toEqual({ updateCampaign: { name: 'By GraphQL', audienceType: 'ALL' } });
    const read = await graphql(
      `query ($id: ID!) {
        campaignAudience(id: $id) { matched skipped { invalid } }
        campaignRecipients(id: $id, first: 5) { totalCount edges { cursor node { emailId email } } }
        suppressions { totalCount edges { node { email } } }
      }`,
      { id },
    );
    expect(read.errors).toBeUndefined();
    expect(read.data).toMatchObject({
      campaignRecipients: { totalCount: 0, edges: [] },
      suppressions: { totalCount: 0, edges: [] },
    });
    expect((await graphql('mutation ($id: ID!) { deleteCampaign(id: $id) }', { id })).data).toEqual({
      deleteCampaign: id,
    });
  });
});
