import { newId } from '@postrider/core/base/lib';
import { waitingMail } from '@postrider/core/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Relations between records in GraphQL: how many statements they take, and that they show what the lists show. */
let test: TestApp;
let send: Send;
let contactIds: string[];
let campaignId: string;
let workflowId: string;
const segments = { vips: '', pros: '' };

const db = () => test.services.database.prisma;
const contacts = 100;

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  const projectId = test.project.id;
  campaignId = newId();
  segments.vips = (await send('POST', '/segments', { name: 'VIPs', type: 'STATIC' })).body.id;
  const isPro = { field: 'data.plan', operator: 'equals', value: 'pro' };
  const condition = { logic: 'AND', groups: [{ filters: [isPro] }] };
  segments.pros = (await send('POST', '/segments', { name: 'Pros', condition })).body.id;
  await db().campaign.create({
    data: {
      ...{
        id: campaignId,
        projectId,
        name: 'News',
        subject: 'News',
        body: '<p>News</p>',
        from: 'a@news.test',
      },
      ...{ audienceType: 'SEGMENT', segmentId: segments.vips, status: 'SENDING', totalRecipients: contacts },
      frozenAt: new Date(),
    },
  });
  await db().campaignCounter.create({ data: { campaignId, projectId } });
  const emails = await waitingMail(test.services, projectId, { count: contacts, campaignId });
  contactIds = emails.map(({ contactId }) => contactId);
  await waitingMail(test.services, projectId, { count: 1 });
  workflowId = newId();
  await db().workflow.create({ data: { id: workflowId, projectId, name: 'Welcome' } });
  for (const [index, contactId] of contactIds.entries()) {
    await db().segmentMembership.create({ data: { projectId, segmentId: segments.vips, contactId } });
    await db().contact.update({
      where: { id: contactId },
      data: { data: { plan: index % 2 ? 'pro' : 'free' } },
    });
  }
  const perContact = <Row>(count: number, row: (contactId: string, index: number) => Row): Row[] =>
    contactIds.flatMap((contactId) => Array.from({ length: count }, (_, index) => row(contactId, index)));
  await db().event.createMany({
    data: perContact(4, (contactId, index) => ({
      ...{ id: newId(), projectId, contactId, name: `event-${index}` },
      createdAt: new Date(Date.now() - index * 60_000),
    })),
  });
  await db().workflowExecution.createMany({
    data: perContact(2, (contactId, index) => ({
      ...{ id: newId(), projectId, contactId, workflowId, status: 'COMPLETED' as const },
      createdAt: new Date(Date.now() - index * 60_000),
    })),
  });
});
afterAll(() => test.close());

const ask = async (query: string, variables: object = {}) => {
  const { body } = await send('POST', '/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
};

/** The number of statements that `work` sends to PostgreSQL, transactions included: the least of some runs, as the process has other work too. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ count: number; result: T }> {
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    let result = await work();
    let count = query.mock.calls.length;
    for (let run = 1; run < 4; run += 1) {
      query.mockClear();
      result = await work();
      count = Math.min(count, query.mock.calls.length);
    }
    return { count, result };
  } finally {
    query.mockRestore();
  }
}

/**
 * A statement per contact would be at least 57 more. A few more or less are other work of the process that
 * happened to fall into each of the runs (a log that is written, a cache that is read anew).
 */
const expectNoGrowth = (few: number, many: number) => expect(Math.abs(many - few)).toBeLessThan(10);

const overview = `query ($first: Int) {
  contacts(first: $first) {
    edges { node {
      id email
      segments(first: 5) { name }
      emails(first: 3) { edges { node { subject status } } }
      events(first: 3) { edges { node { name createdAt } } }
      executions(first: 3) { edges { node { status workflow { name } } } }
    } }
  }
}`;

describe('statements', () => {
  it('100 contacts with segments, last emails, events and executions take as many as 10', async () => {
    const ten = await statementsOf(() => ask(overview, { first: 10 }));
    const all = await statementsOf(() => ask(overview, { first: 100 }));
    expect(all.result.contacts.edges).toHaveLength(100);
    expectNoGrowth(ten.count, all.count);
    expect(all.count).toBeLessThanOrEqual(20);
    const { node } = all.result.contacts.edges.at(-1);
    expect(node).toMatchObject({
      segments: expect.arrayContaining([{ name: 'VIPs' }]),
      emails: { edges: [{ node: { subject: 'Hello', status: 'PENDING' } }] },
      events: { edges: [0, 1, 2].map((n) => ({ node: { name: `event-${n}` } })) },
      executions: { edges: Array(2).fill({ node: { status: 'COMPLETED', workflow: { name: 'Welcome' } } }) },
    });
  });

  it.each([
    'timeline(limit: 3) { data { type } }',
    'emails(first: 1) { totalCount edges { node { contact { email } campaign { segment { name } stats { sentCount } } } } }',
    'emails(first: 1) { edges { node { events(first: 1) { totalCount edges { node { executions(first: 1) { totalCount } } } } } } }',
    'segments(first: 5) { campaigns(first: 1) { totalCount edges { node { name } } } }',
    'events(first: 1, eventName: "event-2") { totalCount edges { node { contact { id } email { id } } } }',
    'executions(first: 1, status: COMPLETED) { edges { node { contact { email } currentStep { name } stepExecutions { id } } } }',
  ])('do not grow with the number of contacts: %s', async (selection) => {
    const query = `query ($first: Int) { contacts(first: $first) { edges { node { ${selection} } } } }`;
    const one = await statementsOf(() => ask(query, { first: 3 }));
    const many = await statementsOf(() => ask(query, { first: 60 }));
    expectNoGrowth(one.count, many.count);
  });
});

describe('a nested list', () => {
  const nested = `query ($id: ID!, $after: String) {
    contact(id: $id) {
      events(first: 3, after: $after) {
        totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor node { name } }
      }
    }
  }`;
  const names = (page: { edges: { node: { name: string } }[] }) => page.edges.map(({ node }) => node.name);

  it('is a Relay connection: the cursor of each edge continues after it', async () => {
    const id = contactIds[0];
    const { events: first } = (await ask(nested, { id })).contact;
    expect([names(first), first.totalCount]).toEqual([['event-0', 'event-1', 'event-2'], 4]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const { events: rest } = (await ask(nested, { id, after: first.edges[1].cursor })).contact;
    expect([names(rest), rest.totalCount]).toEqual([['event-2', 'event-3'], 0]);
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('refuses a cursor of another list', async () => {
    const { emails } = await ask('{ emails(first: 1) { pageInfo { endCursor } } }');
    const variables = { id: contactIds[0], after: emails.pageInfo.endCursor };
    expect(codeOf(await send('POST', '/graphql', { query: nested, variables }))).toBe('BAD_REQUEST');
  });

  it('has the records of the list that REST has', async () => {
    const id = contactIds[7];
    const { contact } = await ask(
      `query ($id: ID!) { contact(id: $id) {
        emails { edges { node { id } } } events(first: 100) { edges { node { id } } } timeline { data { id } }
      } }`,
      { id },
    );
    const ids = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);
    const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);
    expect(ids(contact.emails)).toEqual(idsOf((await send('GET', `/emails?contactId=${id}`)).body.data));
    expect(ids(contact.events)).toEqual(idsOf((await send('GET', `/events/contact/${id}`)).body.events));
    expect(idsOf(contact.timeline.data)).toEqual(
      idsOf((await send('GET', `/activity?contactId=${id}`)).body.data),
    );
    expect(contact.timeline.data.length).toBeGreaterThan(0);
  });
});

describe('both ways', () => {
  it('contacts and segments', async () => {
    const both = await ask(
      `query ($vips: ID!, $pros: ID!, $id: ID!) {
        vips: segment(id: $vips) { contacts(first: 1) { totalCount pageInfo { hasNextPage } edges { node { segments { name } } } } }
        pros: segment(id: $pros) { contacts(first: 100) { totalCount edges { node { id } } } }
        contact(id: $id) { segments { name } }
      }`,
      { vips: segments.vips, pros: segments.pros, id: contactIds[0] },
    );
    expect(both.vips.contacts).toMatchObject({ totalCount: 100, pageInfo: { hasNextPage: true } });
    expect(both.pros.contacts.totalCount).toBe(50);
    expect(both.pros.contacts.edges).toHaveLength(50);
    expect(both.contact.segments).toEqual([{ name: 'VIPs' }]);
  });

  it('campaigns with their emails, recipients, segment and figures', async () => {
    const { campaigns } = await ask(`{ campaigns { data {
      segment { name } stats { sentCount }
      emails(first: 2) { totalCount edges { node { id campaign { name } } } }
      recipients(first: 2) { totalCount pageInfo { hasNextPage } edges { node { emailId email contact { email } } } }
    } } }`);
    const [campaign] = campaigns.data;
    expect(campaign).toMatchObject({
      segment: { name: 'VIPs' },
      stats: { sentCount: 0 },
      emails: { totalCount: 100, edges: Array(2).fill({ node: { campaign: { name: 'News' } } }) },
    });
    const { body } = await send('GET', `/campaigns/${campaignId}/recipients?limit=2`);
    expect(campaign.recipients.edges.map((edge: { node: { emailId: string } }) => edge.node.emailId)).toEqual(
      body.data.map((row: { emailId: string }) => row.emailId),
    );
  });

  it('workflows with their executions, and executions with their contact', async () => {
    const { workflow, workflows } = await ask(
      `query ($id: ID!) {
        workflow(id: $id) { executions(pageSize: 1) { total data { contact { email } workflow { name } } } }
        workflows { data { latestExecutions(first: 1) { totalCount edges { node { contact { id } } } } } }
      }`,
      { id: workflowId },
    );
    expect(workflow.executions).toMatchObject({ total: 200, data: [{ workflow: { name: 'Welcome' } }] });
    expect(workflows.data[0].latestExecutions).toMatchObject({ totalCount: 200 });
  });

  it('segments and templates with their campaigns, templates and executions with their emails, emails with their events', async () => {
    const offer = { name: 'Offer', subject: 'Offer', body: '<p>Offer</p>', from: 'a@mail.test' };
    const templateId = (await send('POST', '/templates', { ...offer, type: 'MARKETING' })).body.id;
    const execution = await db().workflowExecution.findFirstOrThrow({ where: { workflowId } });
    const email = await db().email.findFirstOrThrow({ where: { contactId: execution.contactId } });
    const event = await db().event.findFirstOrThrow({
      where: { contactId: execution.contactId, name: 'event-1' },
    });
    await db().campaign.update({ where: { id: campaignId }, data: { templateId } });
    await db().email.update({
      where: { id: email.id },
      data: { templateId, workflowExecutionId: execution.id },
    });
    await db().event.update({ where: { id: event.id }, data: { emailId: email.id } });
    const found = await ask(
      `query ($segment: ID!, $template: ID!, $email: ID!, $contact: ID!) {
        segment(id: $segment) { campaigns { totalCount edges { node { name segment { name } stats { sentCount } } } } }
        template(id: $template) {
          campaigns { totalCount edges { node { name template { name } } } }
          emails { totalCount edges { node { id template { name } } } }
        }
        contact(id: $contact) { executions { edges { node { id emails { totalCount edges { node { id } } } } } } }
        email(id: $email) { events { totalCount edges { node { name email { id } } } } }
      }`,
      { segment: segments.vips, template: templateId, email: email.id, contact: execution.contactId },
    );
    const only = (node: object) => ({ totalCount: 1, edges: [{ node }] });
    expect(found.segment.campaigns).toEqual(
      only({ name: 'News', segment: { name: 'VIPs' }, stats: { sentCount: 0 } }),
    );
    expect(found.template).toEqual({
      campaigns: only({ name: 'News', template: { name: 'Offer' } }),
      emails: only({ id: email.id, template: { name: 'Offer' } }),
    });
    expect(found.email.events).toEqual(only({ name: 'event-1', email: { id: email.id } }));
    const sent = found.contact.executions.edges.map(
      ({ node }: { node: { id: string; emails: { totalCount: number } } }) => [
        node.id,
        node.emails.totalCount,
      ],
    );
    expect(Object.fromEntries(sent)[execution.id]).toBe(1);
    expect(sent.filter(([, count]: [string, number]) => count === 0)).toHaveLength(1);
    expect((await send('DELETE', `/templates/${templateId}`)).status).toBe(204);
  });

  it('executions with the event that started them, and events with the executions that they started', async () => {
    const { projectId, contactId } = await db().workflowExecution.findFirstOrThrow({ where: { workflowId } });
    const event = await db().event.findFirstOrThrow({ where: { contactId } });
    const executionId = newId();
    await db().workflowExecution.create({
      data: {
        id: executionId,
        projectId,
        contactId,
        workflowId,
        status: 'COMPLETED',
        sourceEventId: event.id,
      },
    });
    const found = await ask(
      `query ($event: ID!, $contact: ID!) {
        contact(id: $contact) { executions { edges { node { id sourceEvent { id name } } } } }
        event(id: $event) { name contact { id } executions { edges { node { id } } } }
      }`,
      { event: event.id, contact: contactId },
    );
    const sources = found.contact.executions.edges.map(
      ({ node }: { node: { id: string; sourceEvent: { id: string } | null } }) => [node.id, node.sourceEvent],
    );
    expect(sources).toContainEqual([executionId, { id: event.id, name: event.name }]);
    expect(sources.filter(([, source]: [string, unknown]) => source === null)).toHaveLength(2);
    expect(found.event).toEqual({
      name: event.name,
      contact: { id: contactId },
      executions: { edges: [{ node: { id: executionId } }] },
    });
    await db().workflowExecution.delete({ where: { id: executionId } });
  });

  it('a domain is read by its id, with the records of the last check', async () => {
    const { domains } = await ask('{ domains { id domain status records { name found } } }');
    const { domain } = await ask(
      'query ($id: ID!) { domain(id: $id) { id domain status records { name found } } }',
      { id: domains[0].id },
    );
    expect(domain).toEqual(domains[0]);
  });

  it('the project with its domains, members, setup and reputation', async () => {
    const { project } = await ask(`{ project {
      domains { domain } members { email role } setupState { contactCount } security { isDisabled levels { bounce7Day } }
    } }`);
    expect(project).toMatchObject({
      domains: [{ domain: 'mail.test' }],
      setupState: { contactCount: 101 },
      security: { isDisabled: false, levels: { bounce7Day: 'healthy' } },
    });
  });

  it('templates with their usage', async () => {
    const made = await ask(
      `mutation { createTemplate(input: { name: "T", subject: "S", body: "<p>B</p>", from: "a@mail.test" }) { id } }`,
    );
    await db().campaign.update({ where: { id: campaignId }, data: { templateId: made.createTemplate.id } });
    const { templates } = await ask(
      '{ templates { data { usage { campaigns { name } canDelete emailsSent } } } }',
    );
    expect(templates.data).toEqual([
      { usage: { campaigns: [{ name: 'News' }], canDelete: true, emailsSent: 0 } },
    ]);
  });
});

describe('permissions', () => {
  it('a key that may only send reaches its email, and nothing that the email refers to', async () => {
    const owner = await test.withSession();
    const made = await owner('POST', `/users/@me/projects/${test.project.id}/keys`, {
      name: 'Shop',
      scope: 'send',
    });
    const sending = test.withKey(made.body.key);
    const email = await db().email.findFirstOrThrow({ where: { projectId: test.project.id } });
    const query = 'query ($id: ID!) { email(id: $id) { to contact { email } } }';
    const { body } = await sending('POST', '/graphql', { query, variables: { id: email.id } });
    expect(body.data.email).toEqual({ to: email.to, contact: null });
    expect(body.errors[0]).toMatchObject({ path: ['email', 'contact'], extensions: { code: 'FORBIDDEN' } });
  });
});
