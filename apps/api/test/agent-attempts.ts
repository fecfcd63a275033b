import { randomBytes } from 'node:crypto';
import { freezeAudience } from '@postrider/core/automation/campaigns';
import { type KeyScope, operationRegistry, sha256 } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { type Call, everyCall } from './every-call.ts';
import type { Answer, Send, TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

/** What a key of the scope `agent` tries: every operation that needs a person, by every door, with every trick. */

const from = 'shop@shop.example.com';
const mail = { subject: 'Hello', body: '<p>Hello</p>', from };
const condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
};
const delay = {
  ...{ type: 'DELAY', name: 'Wait', position: { x: 0, y: 0 }, config: { amount: 1, unit: 'days' } },
};

export async function makeKey(
  test: TestApp,
  project: TestProject,
  scope: KeyScope = 'agent',
): Promise<{ key: string; id: string }> {
  const key = `sk_${randomBytes(32).toString('hex')}`;
  const id = newId();
  await test.services.database.prisma.apiKey.create({
    data: {
      ...{ id, projectId: project.id, name: 'The agent', prefix: key.slice(0, 11), scope },
      hash: Uint8Array.from(sha256(key)),
    },
  });
  return { key, id };
}

/** Gives a project the postal address without which no agent sends a campaign. */
export const enterAddress = ({ services }: TestApp, projectId: string) =>
  services.database.prisma.project.update({
    where: { id: projectId },
    data: { brand: { address: '1 Main Street, London' } },
  });

/** Gives a project who asks for confirmations, without whom no form opens. */
export const nameAsker = ({ services }: TestApp, projectId: string, from: string) =>
  services.database.prisma.project.update({
    where: { id: projectId },
    data: { consent: { confirmation: { from, fromName: null, replyTo: null, templateId: null } } },
  });

/** A project in which every operation would do something. */
export async function plantProject(test: TestApp, project: TestProject, domain: string) {
  const full = test.withKey(project.secretKey);
  const made = async (method: string, url: string, body: object): Promise<Json> => {
    const answer = await full(method, url, method === 'GET' ? undefined : body);
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
    return answer.body.success === true ? answer.body.data : answer.body;
  };
  await verifiedDomain(test.services, project.id, domain);
  await enterAddress(test, project.id);
  const sender = { ...mail, from: `shop@${domain}` };
  await nameAsker(test, project.id, sender.from);
  const contact = await made('POST', '/contacts', { email: 'ann@people.test' });
  await made('POST', '/contacts', { email: 'out@people.test', subscribed: false });
  const template = await made('POST', '/templates', { ...sender, name: 'Receipt' });
  const liveTemplate = await made('POST', '/templates', { ...sender, name: 'Live' });
  const campaign = await made('POST', '/campaigns', { ...sender, name: 'Spring', audienceType: 'ALL' });
  const scheduled = await made('POST', '/campaigns', { ...sender, name: 'Summer', audienceType: 'ALL' });
  await made('POST', `/campaigns/${scheduled.id}/send`, {
    scheduledFor: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const paused = await made('POST', '/campaigns', { ...sender, name: 'Winter', audienceType: 'ALL' });
  await made('POST', `/campaigns/${paused.id}/send`, {});
  await made('POST', `/campaigns/${paused.id}/pause`, {});
  const tested = await made('POST', '/campaigns', {
    ...{ ...sender, name: 'Autumn', audienceType: 'ALL' },
    test: { variants: [{ subject: 'Other' }], sample: 1 },
  });
  await made('POST', `/campaigns/${tested.id}/send`, {});
  await freezeAudience(test.services, tested.id);
  const segment = await made('POST', '/segments', { name: 'Kept', condition });
  const tracked = await made('POST', '/segments', { name: 'Tracked', condition, trackMembership: true });
  const list = await made('POST', '/segments', { name: 'List', type: 'STATIC' });
  const workflow = await made('POST', '/workflows', { name: 'Live', eventName: 'live' });
  const { email: member } = await test.services.database.prisma.user.findUniqueOrThrow({
    where: { id: project.ownerId },
  });
  const step = await made('POST', `/workflows/${workflow.id}/steps`, {
    ...{ type: 'SEND_EMAIL', name: 'Mail', position: { x: 0, y: 0 }, templateId: liveTemplate.id },
    config: { templateId: liveTemplate.id },
  });
  await made('PATCH', `/workflows/${workflow.id}`, { enabled: true });
  const graph = await made('GET', `/workflows/${workflow.id}`, {});
  const off = await made('POST', '/workflows', { name: 'Off', eventName: 'off' });
  await made('POST', `/workflows/${off.id}/steps`, delay);
  const drafted = await made('POST', '/workflows', { name: 'Drafted', eventName: 'drafted' });
  await made('POST', `/workflows/${drafted.id}/steps`, delay);
  await made('PATCH', `/workflows/${drafted.id}`, { enabled: true });
  await made('POST', `/workflows/${drafted.id}/steps`, { ...delay, publish: false });
  await made('PUT', '/source-refs', {
    source: 'resend',
    kind: 'TEMPLATE',
    sourceId: 'known',
    id: template.id,
  });
  const topic = await made('POST', '/topics', { key: 'news', name: { en: 'News' }, default: 'OUT' });
  const goal = await made('POST', '/goals', { name: 'Purchase', eventName: 'order.paid' });
  const form = await made('POST', '/forms', {
    name: 'Footer',
    title: { en: 'News' },
    consentText: { en: 'Yes' },
  });
  const endpoint = await made('POST', '/webhook-endpoints', { url: 'https://ours.example.com/' });
  const block = await made('POST', '/blocks', { name: 'Footer', body: '<p>x</p>' });
  await made('POST', '/suppressions', { emails: ['blocked@people.test'] });
  const later = await made('POST', '/v1/send', {
    ...{ ...sender, to: 'later@people.test' },
    scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await made('POST', '/events/track', { name: 'unused' });
  return {
    ...{ project, full, sender, contact: contact.id, template: template.id, liveTemplate: liveTemplate.id },
    ...{
      campaign: campaign.id,
      scheduled: scheduled.id,
      paused: paused.id,
      tested: tested.id,
      segment: segment.id,
      tracked: tracked.id,
    },
    ...{
      list: list.id,
      workflow: workflow.id,
      drafted: drafted.id,
      step: step.id,
      off: off.id,
      endpoint: endpoint.id,
      goal: goal.id,
      form: form.id,
      topic: topic.id,
    },
    ...{ block: block.id, email: later.emails[0].email, member },
    trigger: graph.steps.find(({ type }: Json) => type === 'TRIGGER').id,
  };
}

export type Planted = Awaited<ReturnType<typeof plantProject>>;

/** Of each operation that may need a person, what it is given. */
export function inputsOf(planted: Planted): Record<string, Json[]> {
  const { sender, contact, template, liveTemplate, campaign, segment, tracked, list } = planted;
  const { workflow, drafted, step, off, endpoint, goal, form, topic, block, email, scheduled, paused } =
    planted;
  const { tested } = planted;
  const to = 'ann@people.test';
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  return {
    'sending.send': [
      { ...sender, to },
      { ...sender, to: [to, 'bob@people.test'] },
      { to, template },
      { ...sender, to, scheduledAt: soon },
      { ...sender, to, cc: 'boss@people.test' },
      { ...sender, to: 'delivered@postrider.test' },
    ],
    'sending.sendBatch': [
      {
        emails: [
          { ...sender, to },
          { ...sender, to: 'bob@people.test' },
        ],
      },
      { emails: [{ ...sender, to }], atomic: true },
    ],
    'sending.reschedule': [{ id: email, scheduledAt: soon }],
    'campaigns.send': [{ id: campaign }, { id: campaign, scheduledFor: soon }],
    'campaigns.resume': [{ id: paused }],
    'campaigns.decideTest': [{ id: tested, winner: 'B' }],
    'campaigns.test': [{ id: campaign, email: planted.member }],
    'campaigns.retry': [{ id: campaign, statuses: ['FAILED'] }],
    'campaigns.update': [{ id: scheduled, ...sender, name: 'Other', audienceType: 'ALL' }],
    'campaigns.delete': [{ id: campaign }],
    'workflows.publish': [{ id: drafted }],
    'workflows.update': [
      { id: off, enabled: true },
      { id: workflow, name: 'Other' },
      { id: workflow, allowReentry: true },
    ],
    'workflows.startExecution': [
      { id: workflow, contactId: contact },
      { id: workflow, contactId: to },
    ],
    'workflows.enter': [
      { id: workflow, contacts: [contact] },
      { id: workflow, segmentId: segment },
    ],
    'workflows.addStep': [{ id: workflow, ...delay, autoConnect: true }],
    'workflows.updateStep': [{ id: workflow, stepId: step, name: 'X' }],
    'workflows.deleteStep': [{ id: workflow, stepId: step }],
    'workflows.addTransition': [{ id: workflow, fromStepId: step, toStepId: step }],
    'workflows.deleteTransition': [{ id: workflow, transitionId: newId() }],
    'workflows.replaceGraph': [
      {
        id: workflow,
        steps: [
          { id: planted.trigger, type: 'TRIGGER', name: 'Start', position: { x: 0, y: 0 }, config: {} },
        ],
        transitions: [],
      },
    ],
    'workflows.retryExecution': [{ id: workflow, executionId: newId() }],
    'workflows.retryExecutions': [{ id: workflow }, { id: workflow, failedAfter: '2026-01-01' }],
    'workflows.delete': [{ id: workflow }, { id: off }],
    'templates.update': [{ id: liveTemplate, body: '<p>Other</p>' }],
    'templates.restoreVersion': [{ id: liveTemplate, version: 1 }],
    'sourceRefs.set': [{ source: 'resend', kind: 'TEMPLATE', sourceId: 'welcome', id: template }],
    'sourceRefs.remove': [{ source: 'resend', kind: 'TEMPLATE', sourceId: 'known' }],
    'templates.delete': [{ id: template }],
    'blocks.delete': [{ id: block }],
    'uploads.delete': [{ id: newId() }],
    'contacts.upsert': [{ email: 'new@people.test' }, { email: 'out@people.test', subscribed: true }],
    'contacts.update': [
      { id: contact, data: { a: 1 } },
      { id: 'out@people.test', subscribed: true },
    ],
    'contacts.delete': [{ id: contact }, { id: to }],
    'contacts.bulkDelete': [
      { mode: 'ids', contactIds: [contact] },
      { mode: 'query', filter: {} },
    ],
    'contacts.bulkSubscribe': [{ mode: 'ids', contactIds: [contact] }],
    'contacts.bulkUnsubscribe': [{ mode: 'ids', contactIds: [contact] }],
    'contacts.bulkUpdate': [
      { mode: 'ids', contactIds: [contact], data: { plan: 'free' } },
      { mode: 'query', filter: {}, data: { plan: null } },
    ],
    'contacts.bulkAddToSegment': [{ mode: 'ids', contactIds: [contact], segmentId: list }],
    'contacts.bulkTopics': [{ mode: 'ids', contactIds: [contact], topics: { general: false } }],
    'contacts.deleteSuppression': [{ email: 'blocked@people.test' }],
    'contacts.removeSuppressions': [{ emails: ['blocked@people.test'] }],
    'contacts.defineField': [{ field: 'plan', type: 'TEXT' }],
    'contacts.deleteField': [{ field: 'plan' }],
    'contacts.import': [{}],
    'events.record': [
      { email: to, event: 'live' },
      { name: 'live', contactId: contact },
      { email: 'out@people.test', event: 'x', subscribed: true },
    ],
    'events.track': [{ email: to, event: 'live' }],
    'events.delete': [{ eventName: 'unused' }],
    'segments.addMembers': [{ id: list, emails: [to] }],
    'segments.addMatching': [{ id: list, condition }],
    'segments.removeMembers': [{ id: list, emails: [to] }],
    'segments.compute': [{ id: tracked }],
    'segments.update': [
      { id: segment, trackMembership: true },
      { id: tracked, name: 'Renamed' },
    ],
    'segments.create': [{ name: 'Mine', condition, trackMembership: true }],
    'segments.delete': [{ id: segment }],
    'goals.delete': [{ id: goal }],
    'forms.create': [{ name: 'Mine', title: { en: 'News' }, consentText: { en: 'Yes' } }],
    'forms.update': [{ id: form, enabled: true }],
    'forms.delete': [{ id: form }],
    'subscriptionRequests.create': [{ email: to }],
    'topics.delete': [{ id: topic }],
    'exports.start': [{ type: 'contacts' }],
    'webhooks.create': [{ url: 'https://stranger.example/' }],
    'webhooks.update': [{ id: endpoint, url: 'https://stranger.example/' }],
    'webhooks.delete': [{ id: endpoint }],
    'webhooks.disable': [{ id: endpoint }],
    'webhooks.rotateSecret': [{ id: endpoint }],
    'webhooks.test': [{ id: endpoint }],
    'webhooks.replay': [{ id: endpoint, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    'webhooks.replayDelivery': [{ id: endpoint, deliveryId: newId() }],
  };
}

/** What an agent may do without a person, in this project as well; adding to a list tells nobody here. */
export const free = new Set(['segments.addMembers', 'segments.removeMembers', 'segments.refresh']);

/** Operations that are called by nobody but Postrider itself, or by other doors. */
export const notCalled = new Set(['sending.submit']);

export interface Attempt {
  name: string;
  run(): Promise<Answer[]>;
}

const accept = { accept: 'application/json, text/event-stream' };

/** A call by MCP, as an answer whose code is that of the result. */
async function byMcp(agent: Send, name: string, args: object): Promise<Answer> {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await agent('POST', '/mcp', payload, accept);
  return asRefusal(answer);
}

/** What a tool says, in the form of REST. */
function asRefusal(answer: Answer): Answer {
  const { result, error } = (answer.body ?? {}) as Json;
  if (error) return { ...answer, status: 400, body: { error: { code: 'BAD_REQUEST' } } };
  const value = JSON.parse(result?.content?.[0]?.text ?? 'null');
  return result?.isError === true
    ? { ...answer, status: value.status ?? 409, body: { error: { ...value } } }
    : answer;
}

interface Tools {
  test: TestApp;
  agent: Send;
  planted: Planted;
  /** of another project, whose owner agrees to everything */
  foreign: { agent: Send; owner: Send };
  random: () => number;
}

type Trick = [name: string, play: (call: Call, input: Json, tools: Tools) => Promise<Answer[]>];

const send = (agent: Send, call: Call, input: Json, headers: Record<string, string> = {}) => {
  const { method, url, payload } = call.requestOf(input);
  return agent(method, url, payload, headers);
};

const headerTricks: Record<string, string>[] = [
  { 'dry-run': 'false' },
  { 'dry-run': 'TRUE' },
  { 'dry-run': '1' },
  { 'x-dry-run': 'true' },
  { 'x-approved-by': 'owner' },
  { 'x-approval-id': '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' },
  { 'x-http-method-override': 'GET' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  { 'x-postrider-internal': 'true', 'user-agent': 'postrider-mcp/1' },
  { 'idempotency-key': 'approval-1' },
  { cookie: 'postrider_session=0' },
  { 'x-request-id': 'approved' },
  { host: 'api.internal' },
];

/** An approval that the call asks for; null where it is refused. */
const approvalOf = (answer: Answer): string | null => {
  const details = answer.body?.error?.details ?? answer.body?.errors?.[0]?.extensions?.details ?? {};
  return typeof details.approvalId === 'string' ? details.approvalId : null;
};

export const tricks: Trick[] = [
  ['as it is', async (call, input, { agent }) => [await send(agent, call, input)]],
  [
    'three times',
    async (call, input, { agent }) => {
      const answers: Answer[] = [];
      for (let n = 0; n < 3; n += 1) answers.push(await send(agent, call, input));
      return answers;
    },
  ],
  [
    'eight at once',
    (call, input, { agent }) => Promise.all(Array.from({ length: 8 }, () => send(agent, call, input))),
  ],
  [
    'with a header',
    async (call, input, { agent, random }) => {
      const headers = headerTricks[Math.floor(random() * headerTricks.length)] ?? {};
      return [await send(agent, call, input, headers)];
    },
  ],
  [
    'as a dry run, then really',
    async (call, input, { agent }) => {
      await send(agent, call, input, { 'dry-run': 'true' });
      return [await send(agent, call, input)];
    },
  ],
  [
    'a dry run and the real call at once',
    async (call, input, { agent }) => {
      const [, ...answers] = await Promise.all([
        send(agent, call, input, { 'dry-run': 'true' }),
        send(agent, call, input),
        send(agent, call, input),
      ]);
      return answers;
    },
  ],
  [
    'agreed to by itself',
    async (call, input, { agent, planted }) => {
      const asked = await send(agent, call, input);
      const id = approvalOf(asked) ?? newId();
      const { hash = 'a'.repeat(64) } = (await planted.full('GET', `/approvals/${id}`)).body ?? {};
      const own = (await agent('GET', `/approvals/${id}`)).body?.hash ?? hash;
      return [
        asked,
        await agent('POST', `/approvals/${id}/approve`, { hash: own }),
        await planted.full('POST', `/approvals/${id}/approve`, { hash: own }),
        await agent('POST', '/graphql', {
          query: `mutation { approveApproval(id: "${id}", hash: "${own}") { status } }`,
        }),
        await byMcp(agent, 'run_operation', { operation: 'approvals.approve', input: { id, hash: own } }),
        await agent('POST', '/trpc/approvals.approve', { id, hash: own }),
      ];
    },
  ],
  [
    'agreed to in another project',
    async (call, input, { agent, foreign }) => {
      const asked = await send(agent, call, input);
      const id = approvalOf(asked) ?? newId();
      const { hash = '' } = (await agent('GET', `/approvals/${id}`)).body ?? {};
      return [
        asked,
        await foreign.owner('POST', `/approvals/${id}/approve`, { hash }),
        await foreign.agent('POST', `/approvals/${id}/approve`, { hash }),
        await foreign.agent('GET', `/approvals/${id}`),
      ];
    },
  ],
  [
    'by run_operation',
    async (call, input, { agent }) => [
      await byMcp(agent, 'run_operation', { operation: call.operation.name, input, dryRun: false }),
    ],
  ],
  [
    'by its tool, with consent in the arguments',
    async (call, input, { agent }) => [
      await byMcp(agent, call.operation.name.replace('.', '_'), { ...input, dryRun: 'true' }),
      await byMcp(agent, call.operation.name.replace('.', '_'), { ...input, approved: true, confirm: true }),
    ],
  ],
  [
    'twenty messages of MCP in a request',
    async (call, input, { agent }) => {
      const message = (id: number) => ({
        ...{ jsonrpc: '2.0', id, method: 'tools/call' },
        params: { name: 'run_operation', arguments: { operation: call.operation.name, input } },
      });
      const answer = await agent(
        'POST',
        '/mcp',
        Array.from({ length: 20 }, (_, n) => message(n)),
        accept,
      );
      const each: Json[] = Array.isArray(answer.body) ? answer.body : [answer.body];
      return each.map((body) => asRefusal({ ...answer, body }));
    },
  ],
  [
    'with fields that speak of consent',
    async (call, input, { agent }) => [
      await send(agent, call, { ...input, approvedBy: 'owner', approvalId: newId() }),
      await send(agent, call, { ...input, _approved: true, dryRun: true }),
    ],
  ],
  [
    'at another spelling of its path',
    async (call, input, { agent }) => {
      const { method, url, payload } = call.requestOf(input);
      const answers: Answer[] = [];
      for (const path of [`/${url}`, `${url.split('?')[0]}/`, url.replace(/[a-z]/, (c) => c.toUpperCase())])
        answers.push(await agent(method, path, payload));
      return answers;
    },
  ],
  [
    'ten aliases in a mutation',
    async (call, input, { agent }) => {
      if (call.door !== 'GraphQL') return [await send(agent, call, input)];
      const { payload } = call.requestOf(input);
      const { query, variables } = payload as { query: string; variables: object };
      const body = /\{ (.*) \}$/s.exec(query)?.[1] ?? '';
      const aliases = Array.from({ length: 10 }, (_, n) => `a${n}: ${body}`).join(' ');
      const many = query.replace(/\{ .* \}$/s, `{ ${aliases} }`);
      return [
        await agent('POST', '/graphql', { query: many, variables }),
        await agent('POST', '/graphql', [
          { query, variables },
          { query, variables },
        ]),
        await agent(
          'GET',
          `/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`,
        ),
        await agent('POST', '/graphql', {
          query: query.replace(/\{ (\w+)/, '{ $1 @include(if: true)'),
          variables,
        }),
      ];
    },
  ],
  [
    'by a drop-in door',
    async (_call, _input, { agent, planted: { sender } }) => {
      const to = 'ann@people.test';
      const { subject, body } = sender;
      return [
        await agent('POST', '/compat/resend/emails', { from: sender.from, to, subject, html: body }),
        await agent('POST', '/compat/sendgrid/v3/mail/send', {
          from: { email: sender.from },
          personalizations: [{ to: [{ email: to }] }],
          subject,
          content: [{ type: 'text/html', value: body }],
        }),
        await agent('POST', '/compat/postmark/email', {
          ...{ From: sender.from, To: to, Subject: subject, HtmlBody: body },
        }),
        await agent('POST', '/compat/plunk/send', { to, subject, body, from: sender.from }),
        await agent('POST', '/compat/plunk/track', { email: to, event: 'live' }),
      ];
    },
  ],
];

/** Calls of operations that a person has to agree to, by every door. */
export function risky(test: TestApp): Call[] {
  return everyCall(test.services).filter(({ operation, root }) => {
    const { risk, name } = operationRegistry.get(operation.name) ?? {};
    const isLive = name === 'templates.update' || name === 'templates.restoreVersion';
    return (
      root !== 'subscription' &&
      risk !== null &&
      risk !== undefined &&
      (risk !== 'none' || isLive) &&
      !free.has(operation.name)
    );
  });
}

/** Every call with every trick in a mixed order, so that a part of the series has some of all. */
export function* attempts(tools: Tools): Generator<Attempt, undefined> {
  const { random } = tools;
  const calls = risky(tools.test)
    .map((call) => ({ call, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ call }) => call);
  const inputs = inputsOf(tools.planted);
  for (let turn = 0; ; ) {
    for (const [trick, play] of tricks) {
      const call = calls[turn % calls.length];
      turn += 1;
      if (!call) return undefined;
      const given = inputs[call.operation.name] ?? [{ id: tools.planted.project.id }];
      const input = given[Math.floor(random() * given.length)] ?? {};
      yield { name: `${call.name}, ${trick}`, run: () => play(call, input, tools) };
    }
  }
}

export async function plantForeign(test: TestApp): Promise<Tools['foreign']> {
  const project = await createTestProject(test.services, { name: 'Other' });
  const { key } = await makeKey(test, project);
  const headers = await sessionOf(test, project);
  return {
    agent: test.withKey(key),
    owner: (method, url, payload, more = {}) => test.anyone(method, url, payload, { ...headers, ...more }),
  };
}

async function sessionOf(test: TestApp, project: TestProject): Promise<Record<string, string>> {
  const token = await issueSession(test.services, { id: project.ownerId });
  return { cookie: `${sessionCookie}=${token}`, 'x-project-id': project.id, 'sec-fetch-site': 'same-origin' };
}
