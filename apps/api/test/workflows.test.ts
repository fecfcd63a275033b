import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Workflows and events through REST and GraphQL (behaviour B4.9, B4.10, B7.4); their effects are tested with the operations. */
let test: TestApp;
let send: Send;
let id: string;

const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';
const delay = { type: 'DELAY', name: 'Wait', position: { x: 1, y: 2 }, config: { amount: 1, unit: 'days' } };

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  id = (await send('POST', '/workflows', { name: 'Welcome', eventName: 'signup' })).body.id;
});
afterAll(() => test.close());

describe('flat 400', () => {
  it.each([
    ['/workflows', { eventName: 'x' }],
    ['/workflows', { name: 'x', eventName: ' ' }],
    ['/workflows/:id/steps', { ...delay, type: null }],
    ['/workflows/:id/steps', { ...delay, name: ' ' }],
    ['/workflows/:id/steps', { ...delay, position: undefined }],
    ['/workflows/:id/steps', { ...delay, config: null }],
    ['/workflows/:id/transitions', { fromStepId: unknown }],
    ['/workflows/:id/transitions', { toStepId: unknown }],
    ['/workflows/:id/executions', {}],
    ['/events/track', {}],
    ['/events/track', { name: ' ', data: {} }],
  ])('POST %s %j', async (path, body) => {
    const answer = await send('POST', path.replace(':id', id), body);
    expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String) }]);
  });
});

it('every change of a workflow answers with its documented status', async () => {
  const made = await send('POST', '/workflows', { name: 'Life', eventName: 'begin' });
  expect([made.status, made.body.steps.length, made.body.transitions]).toEqual([201, 1, []]);
  const base = `/workflows/${made.body.id}`;
  const step = await send('POST', `${base}/steps`, delay);
  expect([step.status, step.body.position, step.body.config]).toEqual([201, { x: 1, y: 2 }, delay.config]);
  const exit = { type: 'EXIT', name: 'End', position: { x: 0, y: 0 }, config: {}, autoConnect: false };
  const end = await send('POST', `${base}/steps`, exit);
  const arrow = { fromStepId: step.body.id, toStepId: end.body.id };
  const transition = await send('POST', `${base}/transitions`, arrow);
  expect([transition.status, transition.body.fromStepId]).toEqual([201, step.body.id]);
  expect((await send('POST', `${base}/transitions`, arrow)).status).toBe(400);
  expect((await send('PATCH', `${base}/steps/${step.body.id}`, { name: 'Later' })).body.name).toBe('Later');
  expect((await send('PATCH', base, { enabled: true })).body).toMatchObject({ enabled: true, name: 'Life' });
  expect((await send('GET', base)).body.transitions).toHaveLength(2);

  const { body: contact } = await send('POST', '/contacts', { email: 'life@people.test' });
  const started = await send('POST', `${base}/executions`, { contactId: contact.id, context: { a: 1 } });
  expect([started.status, started.body.status, started.body.context]).toEqual([201, 'RUNNING', { a: 1 }]);
  expect((await send('POST', `${base}/executions`, { contactId: contact.id })).status).toBe(409);
  const list = await send('GET', `${base}/executions?status=RUNNING`);
  expect(Object.keys(list.body).sort()).toEqual(['executions', 'page', 'pageSize', 'total', 'totalPages']);
  expect((await send('GET', `${base}/executions?status=x`)).status).toBe(400);
  const execution = `${base}/executions/${started.body.id}`;
  expect((await send('GET', execution)).body).toMatchObject({
    contact: { email: 'life@people.test' },
    stepExecutions: [],
  });
  expect((await send('DELETE', base)).status).toBe(409);
  expect((await send('DELETE', execution)).body).toMatchObject({
    status: 'CANCELLED',
    exitReason: 'Cancelled by user',
  });
  expect((await send('DELETE', execution)).status).toBe(409);
  const all = await send('POST', `${base}/executions/cancel-all`);
  expect([all.status, all.body]).toEqual([200, { cancelled: 0 }]);

  for (const path of [
    `${base}/transitions/${transition.body.id}`,
    `${base}/steps/${step.body.id}?splice=true`,
    base,
  ]) {
    const gone = await send('DELETE', path);
    expect([gone.status, gone.text]).toEqual([204, '']);
  }
  expect(codeOf(await send('GET', base))).toBe('WORKFLOW_NOT_FOUND');
});

it.each([
  ['GET', '/workflows/0x', 422, 'VALIDATION_ERROR'],
  ['GET', `/workflows/${unknown}`, 404, 'WORKFLOW_NOT_FOUND'],
  ['GET', '/workflows?status=x', 400, 'BAD_REQUEST'],
  ['DELETE', `/workflows/:id/steps/${unknown}`, 404, 'RESOURCE_NOT_FOUND'],
  ['DELETE', `/workflows/:id/steps/${unknown}?splice=x`, 400, 'BAD_REQUEST'],
  ['GET', `/workflows/:id/executions/${unknown}`, 404, 'RESOURCE_NOT_FOUND'],
  ['POST', `/workflows/${unknown}/executions/cancel-all`, 404, 'WORKFLOW_NOT_FOUND'],
  ['GET', `/events/contact/${unknown}`, 404, 'CONTACT_NOT_FOUND'],
  ['GET', '/events/stats?startDate=x', 422, 'VALIDATION_ERROR'],
  ['DELETE', '/events/email.open', 400, 'BAD_REQUEST'],
  ['DELETE', '/events/signup', 409, 'CONFLICT'],
])('%s %s: %i %s', async (method, path, status, code) => {
  const answer = await send(method, path.replace(':id', id));
  expect([answer.status, codeOf(answer)]).toEqual([status, code]);
});

describe('events', () => {
  it('are tracked in both forms, with keys and sessions; only one form accepts an idempotency key', async () => {
    const session = await test.withSession();
    const headers = { 'idempotency-key': 'once' };
    const form = { email: 'e@people.test', event: 'bought it / now?' };
    const first = await send('POST', '/events/track', form, headers);
    expect([first.status, first.body.name]).toEqual([201, form.event]);
    const again = await session('POST', '/events/track', form, headers);
    expect([again.status, again.body.error.details.originalStatusCode]).toEqual([409, 201]);
    const named = { name: form.event, contactId: first.body.contactId };
    expect((await session('POST', '/events/track', named)).status).toBe(201);
    const path = `/events/${encodeURIComponent(form.event)}`;
    expect((await send('GET', `${path}/usage`)).body).toMatchObject({ totalCount: 2, uniqueContacts: 1 });
    expect(
      (await send('GET', `/events?eventName=${encodeURIComponent(form.event)}&limit=1`)).body.events,
    ).toHaveLength(1);
    expect((await send('GET', '/events/names')).body.eventNames).toContain(form.event);
    expect((await send('DELETE', path)).body).toEqual({ deletedCount: 2 });
  });

  it('refuse a public key', async () => {
    const answer = await test.withKey(test.project.publicKey)('POST', '/events/track', { name: 'x' });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_API_KEY']);
  });
});

it('GraphQL builds, starts and reads the same workflow', async () => {
  const ask = async (query: string, variables: object = {}) => {
    const { body } = await send('POST', '/graphql', { query, variables });
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const { addWorkflowStep } = await ask(
    `mutation ($input: AddWorkflowStepInput!) { addWorkflowStep(input: $input) { id type position { x y } config } }`,
    { input: { ...delay, id } },
  );
  expect(addWorkflowStep).toMatchObject({ type: 'DELAY', position: { x: 1, y: 2 }, config: delay.config });
  const { workflow, workflows, events, eventNames } = await ask(
    `query ($id: ID!) {
      workflow(id: $id) { name executions(pageSize: 5, status: WAITING) { total data { id } } steps { type outgoingTransitions { toStepId } } transitions { branch } }
      workflows(sort: steps) { total data { name _count { steps executions } } }
      events(limit: 5) { events { name contact { email } } }
      eventNames { eventNames }
    }`,
    { id },
  );
  expect(workflow.steps[0].outgoingTransitions).toEqual([{ toStepId: addWorkflowStep.id }]);
  expect(workflow.executions).toEqual({ total: 0, data: [] });
  expect(workflows.data[0]).toMatchObject({ name: 'Welcome', _count: { steps: 2 } });
  expect([events.events, eventNames.eventNames]).toEqual([expect.any(Array), expect.any(Array)]);
  const deleted = await ask(
    `mutation ($input: DeleteWorkflowStepInput!) { deleteWorkflowStep(input: $input) }`,
    { input: { id, stepId: addWorkflowStep.id } },
  );
  expect(deleted).toEqual({ deleteWorkflowStep: addWorkflowStep.id });
});
