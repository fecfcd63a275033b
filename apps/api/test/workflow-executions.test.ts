import { dispatchBatch } from '@postrider/core/automation/workflows';
import type { Services } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { createTestProject, type TestProject } from '@postrider/core/testing';
import { advanceExecution } from '@postrider/core/testing/workflows.fixture.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Send, startApp, type TestApp } from './harness.ts';
import { delayBody, editorOf, refusalOf, stepBody } from './workflow-kit.ts';

/** Executions of customer workflows through REST, from the event to the end (behaviour B2.6, B2.7, B3.4, B4.9, B6.2). */
let test: TestApp;
let services: Services;
let project: TestProject;
let send: Send;
let track: Send;
let edit: ReturnType<typeof editorOf>;
let now: number;
const unknown = newId();

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

beforeAll(async () => {
  test = await startApp();
  // Temporal is not running here; signals are dropped, which is harmless.
  services = { ...test.services, workflows: { ...test.services.workflows, signal: async () => true } };
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  send = test.withKey(project.secretKey);
  track = test.withKey(project.publicKey);
  edit = editorOf(send);
  now = Date.now();
});

const enable = (id: string, enabled = true) => send('PATCH', `/workflows/${id}`, { enabled });
const start = (id: string, contactId: string, context?: object): Promise<Answer> =>
  send('POST', `/workflows/${id}/executions`, { contactId, ...(context ? { context } : {}) });
const list = async (id: string, query = '') =>
  (await send('GET', `/workflows/${id}/executions${query}`)).body;
const detail = async (id: string, executionId: string) =>
  (await send('GET', `/workflows/${id}/executions/${executionId}`)).body;
const dispatch = async () => {
  while ((await dispatchBatch(services, project.id)).taken > 0);
};
const turn = (executionId: string) => advanceExecution(services, executionId, async () => now);

/** An enabled workflow of a TRIGGER and a DELAY, with an execution at the DELAY. */
async function waiting(): Promise<{ id: string; delay: string; executionId: string; contactId: string }> {
  const id = await edit.workflow();
  const delay = await edit.add(id, delayBody({ name: 'delay' }));
  await enable(id);
  const contactId = await edit.contact(`${newId()}@people.test`);
  const { body } = await start(id, contactId);
  await turn(body.id);
  return { id, delay, executionId: body.id, contactId };
}

describe('a manual start', () => {
  it('returns the execution, which can then be listed and read by id', async () => {
    const id = await edit.workflow();
    const contactId = await edit.contact('ann@people.test');
    await enable(id);
    const started = await start(id, contactId, { plan: { name: 'pro' } });
    const trigger = await edit.trigger(id);
    const record = {
      id: uuid,
      workflowId: id,
      contactId,
      status: 'RUNNING',
      currentStepId: trigger,
      exitReason: null,
      context: { plan: { name: 'pro' } },
      version: 1,
      retries: 0,
      failedStepKey: null,
      heldOut: false,
      sourceEventId: null,
      startedAt: date,
      completedAt: null,
      createdAt: date,
      updatedAt: date,
    };
    expect([started.status, started.body]).toEqual([201, record]);
    const contact = { id: contactId, email: 'ann@people.test' };
    const currentStep = { id: trigger, name: 'Trigger: signup', type: 'TRIGGER' };
    expect(await list(id)).toEqual({
      executions: [{ ...record, contact, currentStep }],
      total: 1,
      page: 1,
      pageSize: 20,
      totalPages: 1,
    });
    expect(await detail(id, started.body.id)).toEqual({
      ...record,
      workflow: { id, name: 'Flow' },
      contact,
      currentStep,
      stepExecutions: [],
    });
    await turn(started.body.id);
    expect(await detail(id, started.body.id)).toEqual({
      ...record,
      status: 'COMPLETED',
      currentStepId: null,
      completedAt: date,
      workflow: { id, name: 'Flow' },
      contact,
      currentStep: null,
      stepExecutions: [
        {
          id: uuid,
          executionId: started.body.id,
          stepId: trigger,
          status: 'COMPLETED',
          scheduledFor: null,
          output: { triggered: true, eventName: 'signup', timestamp: started.body.startedAt },
          error: null,
          version: 1,
          failures: [],
          startedAt: date,
          completedAt: date,
          createdAt: date,
          updatedAt: date,
          step: currentStep,
        },
      ],
    });
  });

  it('is possible with every type of trigger, with and without a context', async () => {
    for (const trigger of [
      { triggerType: 'MANUAL' },
      { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * *' } },
      { triggerType: 'EVENT', triggerConfig: { eventName: 'x' } },
    ]) {
      const id = await edit.workflow();
      await send('PATCH', `/workflows/${id}`, { ...trigger, enabled: true });
      const answer = await start(id, await edit.contact(`${newId()}@people.test`));
      expect([answer.status, answer.body.context]).toEqual([201, {}]);
    }
  });

  it.each<[object, string]>([
    [{ contactId: 'x' }, 'contactId: invalid_string'],
    [{ contactId: 5 }, 'contactId: invalid_type'],
    [{ context: 'x' }, 'context: invalid_type'],
    [{ context: [1] }, 'context: invalid_type'],
    [{ context: { a: 'x'.repeat(65_536) } }, 'context: too_big'],
    [{ context: { a: ['\u0000'] } }, 'context.a.0: custom'],
    [{ context: { '\ud800': 1 } }, 'context.\ufffd: custom'],
  ])('is refused with 422: %j', async (body, field) => {
    const id = await edit.workflow();
    await enable(id);
    const contactId = await edit.contact('bob@people.test');
    const answer = await send('POST', `/workflows/${id}/executions`, { contactId, ...body });
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR', field]);
    expect(await list(id)).toMatchObject({ total: 0, totalPages: 0, executions: [] });
  });

  it('needs an enabled workflow and a contact of the project; 404 comes before 409', async () => {
    const id = await edit.workflow();
    const contactId = await edit.contact('cat@people.test');
    expect(refusalOf(await start(id, contactId))).toEqual([409, 'CONFLICT']);
    expect(refusalOf(await start(id, unknown))).toEqual([404, 'CONTACT_NOT_FOUND']);
    await enable(id);
    expect(refusalOf(await start(id, unknown))).toEqual([404, 'CONTACT_NOT_FOUND']);
    await enable(id, false);
    expect(refusalOf(await start(id, contactId))).toEqual([409, 'CONFLICT']);
  });

  it.each([false, true])('50 at once create one execution (re-entry %s)', async (allowReentry) => {
    const id = await edit.workflow({ allowReentry });
    const contactId = await edit.contact('dan@people.test');
    await enable(id);
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(id, contactId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
    expect((await list(id)).total).toBe(1);
    const [first] = (await list(id)).executions;
    await turn(first.id);
    const again = await start(id, contactId);
    expect(again.status).toBe(allowReentry ? 201 : 409);
  });
});

describe('entry by an event', () => {
  it('50 simultaneous identical /v1/track: 50 events, one execution', async () => {
    const id = await edit.workflow();
    await enable(id);
    const body = { email: 'eve@people.test', event: 'signup', data: { plan: 'pro' } };
    const answers = await Promise.all(Array.from({ length: 50 }, () => track('POST', '/v1/track', body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.data.event)).size).toBe(50);
    await Promise.all(Array.from({ length: 4 }, dispatch));
    const { executions, total } = await list(id);
    expect(total).toBe(1);
    expect(executions[0]).toMatchObject({ context: { plan: 'pro' }, contact: { email: 'eve@people.test' } });
    expect(answers.map((answer) => answer.body.data.event)).toContain(executions[0].sourceEventId);
    expect((await send('GET', '/events?eventName=signup')).body.events).toHaveLength(50);
    await turn(executions[0].id);
    await track('POST', '/v1/track', body);
    await dispatch();
    expect((await list(id)).total).toBe(1);
  });

  it('with re-entry the contact enters again after its previous execution has ended', async () => {
    const id = await edit.workflow({ allowReentry: true });
    await enable(id);
    const signup = async () => {
      await track('POST', '/v1/track', { email: 'fay@people.test', event: 'signup' });
      await dispatch();
      return (await list(id)).executions;
    };
    const [first] = await signup();
    expect(await signup()).toHaveLength(1);
    await turn(first.id);
    const both = await signup();
    expect(both.map(({ status }: { status: string }) => status)).toEqual(['RUNNING', 'COMPLETED']);
    expect(both[0]).toMatchObject({ context: {} });
  });

  it('requires the exact name, of a custom or system event, and a contact', async () => {
    const custom = await edit.workflow();
    const system = await edit.workflow({ eventName: 'contact.unsubscribed' });
    await enable(custom);
    await enable(system);
    const email = 'gus@people.test';
    await track('POST', '/v1/track', { email, event: 'Signup' });
    await send('POST', '/events/track', { name: 'signup' });
    await send('POST', '/contacts', { email, subscribed: false });
    await dispatch();
    expect((await list(custom)).total).toBe(0);
    expect((await list(system)).executions).toMatchObject([
      { context: { reason: 'api' }, contact: { email } },
    ]);
    const contactId = (await list(system)).executions[0].contactId;
    await send('POST', '/events/track', { name: 'signup', contactId, data: { a: 1 } });
    await dispatch();
    expect((await list(custom)).executions).toMatchObject([{ context: { a: 1 } }]);
  });

  it('is not possible while the workflow is disabled: events stored then do not enter later', async () => {
    const early = await edit.workflow();
    await enable(early);
    const late = await edit.workflow();
    await track('POST', '/v1/track', { email: 'hal@people.test', event: 'signup' });
    await enable(late);
    await dispatch();
    expect([(await list(early)).total, (await list(late)).total]).toEqual([1, 0]);
    await track('POST', '/v1/track', { email: 'hal@people.test', event: 'signup' });
    await dispatch();
    expect([(await list(early)).total, (await list(late)).total]).toEqual([1, 1]);
    // Neither do events that were stored while the trigger was another one.
    const other = await edit.workflow({ eventName: 'other' });
    await enable(other);
    await track('POST', '/v1/track', { email: 'ida@people.test', event: 'signup' });
    await send('PATCH', `/workflows/${other}`, { triggerConfig: { eventName: 'signup' } });
    await dispatch();
    expect([(await list(early)).total, (await list(other)).total]).toEqual([2, 0]);
  });

  it('is not possible for a contact that has entered before, even if that execution was cancelled', async () => {
    const { id, executionId, contactId } = await waiting();
    await send('DELETE', `/workflows/${id}/executions/${executionId}`);
    const email = (await send('GET', `/contacts/${contactId}`)).body.email;
    await track('POST', '/v1/track', { email, event: 'signup' });
    await dispatch();
    expect((await list(id)).total).toBe(1);
    expect(refusalOf(await start(id, contactId))).toEqual([409, 'CONFLICT']);
  });
});

describe('the rows of an execution', () => {
  it('record every type of step that sends no email', async () => {
    const id = await edit.workflow();
    const add = (type: string, config: object, more: object = {}) =>
      edit.add(id, stepBody(type, config, { name: type, autoConnect: false, ...more }));
    const set = await add('UPDATE_CONTACT', {
      data: { greeting: 'Hi {{name}} of {{event.plan}}', old: null, none: '' },
      subscriptionAction: 'unsubscribe',
    });
    const binary = await add('CONDITION', { field: 'event.order.total', operator: 'greaterThan', value: 10 });
    const multi = await add('CONDITION', {
      mode: 'multi',
      field: 'contact.data.greeting',
      branches: [
        { id: 'no', name: 'No', operator: 'notExists' },
        { id: 'hi', name: 'Hi', operator: 'contains', value: 'Hi' },
      ],
    });
    const delay = await add('DELAY', { amount: 2, unit: 'hours' });
    const wait = await add('WAIT_FOR_EVENT', { eventName: 'paid', timeout: 3_600 });
    const gone = await add('WAIT_FOR_EVENT', { eventName: 'never', timeout: 60 });
    const end = await add('EXIT', { reason: 'done' });
    const chain: [string, string, object?][] = [
      [await edit.trigger(id), set],
      [set, binary],
      [binary, multi, { branch: 'yes' }],
      [multi, delay, { branch: 'hi' }],
      [delay, wait],
      [wait, gone, { waitOutcome: 'EVENT' }],
      [gone, end],
    ];
    for (const [from, to, more] of chain) expect((await edit.join(id, from, to, more)).status).toBe(201);
    await enable(id);
    const email = 'joe@people.test';
    await send('POST', '/contacts', { email, data: { name: 'Joe', old: 1 } });
    const context = { plan: 'pro', order: { total: 11 }, kept: true };
    await track('POST', '/v1/track', { email, event: 'signup', data: context });
    await dispatch();
    const [entered] = (await list(id)).executions;
    const look = async () => {
      const execution = await detail(id, entered.id);
      const last = execution.stepExecutions.at(-1);
      return [execution.status, execution.currentStep?.type ?? null, last.step.type, last.status];
    };
    await turn(entered.id);
    expect(await look()).toEqual(['WAITING', 'DELAY', 'DELAY', 'SCHEDULED']);
    expect((await list(id, '?status=WAITING')).total).toBe(1);
    const resumeAt = new Date(now + 7_200_000).toISOString();
    expect((await detail(id, entered.id)).stepExecutions.at(-1)).toMatchObject({
      scheduledFor: resumeAt,
      output: { reason: 'amount', zone: 'UTC' },
      completedAt: null,
    });
    now += 7_200_000;
    await turn(entered.id);
    expect(await look()).toEqual(['WAITING', 'WAIT_FOR_EVENT', 'WAIT_FOR_EVENT', 'WAITING']);
    await track('POST', '/v1/track', { email, event: 'paid', data: { plan: 'max', sum: 5 } });
    await dispatch();
    await turn(entered.id);
    now += 60_001;
    await turn(entered.id);
    const told = await detail(id, entered.id);
    expect(told).toMatchObject({
      status: 'EXITED',
      exitReason: 'done',
      currentStepId: end,
      completedAt: date,
      sourceEventId: entered.sourceEventId,
      context: { plan: 'max', order: { total: 11 }, kept: true, sum: 5 },
    });
    const greeting = { field: 'contact.data.greeting', actual: 'Hi Joe of pro' };
    expect(
      told.stepExecutions.map((each: { step: { type: string }; status: string; output: object }) => [
        each.step.type,
        each.status,
        each.output,
      ]),
    ).toEqual([
      ['TRIGGER', 'COMPLETED', { triggered: true, eventName: 'signup', timestamp: date }],
      ['UPDATE_CONTACT', 'COMPLETED', { updatedKeys: ['greeting', 'old'], subscriptionChanged: true }],
      [
        'CONDITION',
        'COMPLETED',
        {
          field: 'event.order.total',
          operator: 'greaterThan',
          expectedValue: 10,
          actualValue: 11,
          result: true,
          branch: 'yes',
          because: [
            { field: 'event.order.total', operator: 'greaterThan', expected: 10, actual: 11, matches: true },
          ],
        },
      ],
      [
        'CONDITION',
        'COMPLETED',
        {
          ...{ field: 'contact.data.greeting', actualValue: 'Hi Joe of pro', branch: 'hi' },
          because: [
            { ...greeting, operator: 'contains', expected: 'Hi', matches: true },
            { ...greeting, operator: 'notExists', expected: null, matches: false },
          ],
        },
      ],
      ['DELAY', 'COMPLETED', { delayAmount: 2, delayUnit: 'hours', reason: 'amount', zone: 'UTC', resumeAt }],
      [
        'WAIT_FOR_EVENT',
        'COMPLETED',
        { waitOutcome: 'EVENT', eventName: 'paid', eventData: { plan: 'max', sum: 5 }, receivedAt: date },
      ],
      ['WAIT_FOR_EVENT', 'COMPLETED', { waitOutcome: 'TIMEOUT', timedOut: true, eventName: 'never' }],
      ['EXIT', 'COMPLETED', { exitReason: 'done' }],
    ]);
    const contact = (await send('GET', `/contacts/${entered.contactId}`)).body;
    expect(contact).toMatchObject({ subscribed: false, data: { name: 'Joe', greeting: 'Hi Joe of pro' } });
    expect(contact.data).not.toHaveProperty('old');
    const { events } = (await send('GET', `/events/contact/${entered.contactId}`)).body;
    expect(events[1]).toMatchObject({ name: 'contact.unsubscribed', data: { reason: 'workflow' } });
  });

  it('record the reason of a failed step, at the step and at the execution', async () => {
    const id = await edit.workflow();
    const templateId = newId();
    const { template } = test.services.database.prisma;
    const texts = { name: 'T', subject: 'S', body: 'B', from: 'us@mail.test' };
    await template.create({ data: { ...texts, id: templateId, projectId: project.id } });
    await edit.add(id, stepBody('SEND_EMAIL', {}, { templateId }));
    await enable(id);
    await template.delete({ where: { id: templateId } });
    const { body } = await start(id, await edit.contact('kim@people.test'));
    await turn(body.id);
    const told = await detail(id, body.id);
    expect(told).toMatchObject({ status: 'FAILED', currentStep: { type: 'SEND_EMAIL' }, completedAt: date });
    expect(told.exitReason).toMatch(/template/);
    expect(told.stepExecutions.at(-1)).toMatchObject({ status: 'FAILED', error: told.exitReason });
  });

  it('show that it continues after its workflow was disabled, and ends when its contact is deleted', async () => {
    const { id, executionId, contactId } = await waiting();
    await enable(id, false);
    now += 86_400_001;
    await turn(executionId);
    expect(await detail(id, executionId)).toMatchObject({ status: 'COMPLETED' });
    const second = await waiting();
    expect((await send('DELETE', `/contacts/${second.contactId}`)).status).toBe(204);
    expect(await list(second.id)).toMatchObject({ total: 0 });
    expect((await send('DELETE', `/contacts/${contactId}`)).status).toBe(204);
    expect(await list(id)).toMatchObject({ total: 0 });
    expect((await send('DELETE', `/workflows/${second.id}`)).status).toBe(204);
  });
});

describe('the list', () => {
  it('pages, the newest first, by status', async () => {
    const id = await edit.workflow();
    await edit.add(id, delayBody());
    await enable(id);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { body } = await start(id, await edit.contact(`p${n}@people.test`));
      ids.unshift(body.id);
    }
    await turn(ids[0] ?? '');
    await send('DELETE', `/workflows/${id}/executions/${ids[1]}`);
    const found = async (query: string) => {
      const { executions, ...page } = await list(id, query);
      return [executions.map((each: { id: string }) => each.id), page];
    };
    const page = { total: 5, page: 1, pageSize: 2, totalPages: 3 };
    expect(await found('?pageSize=2')).toEqual([ids.slice(0, 2), page]);
    expect(await found('?pageSize=2&page=3')).toEqual([ids.slice(4), { ...page, page: 3 }]);
    expect(await found('?pageSize=2&page=4')).toEqual([[], { ...page, page: 4 }]);
    expect(await found('?pageSize=1000&page=-1')).toEqual([
      ids,
      { total: 5, page: 1, pageSize: 100, totalPages: 1 },
    ]);
    expect((await found('?status=WAITING'))[0]).toEqual(ids.slice(0, 1));
    expect((await found('?status=CANCELLED'))[0]).toEqual(ids.slice(1, 2));
    expect((await found('?status=RUNNING'))[0]).toEqual(ids.slice(2));
    expect(await found('?status=FAILED')).toEqual([[], { total: 0, page: 1, pageSize: 20, totalPages: 0 }]);
    for (const status of ['waiting', 'ACTIVE', 'x']) {
      const answer = await send('GET', `/workflows/${id}/executions?status=${status}`);
      expect(refusalOf(answer)).toEqual([400, 'BAD_REQUEST']);
    }
    const { body } = await send('GET', '/workflows');
    expect(body.data[0]._count).toEqual({ steps: 2, executions: 5, active: 4, failed24h: 0 });
  });
});

describe('cancelling', () => {
  it('ends an active execution, once', async () => {
    const { id, executionId } = await waiting();
    const path = `/workflows/${id}/executions/${executionId}`;
    const cancelled = await send('DELETE', path);
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      expect.objectContaining({ status: 'CANCELLED', exitReason: 'Cancelled by user', completedAt: date }),
    ]);
    expect(refusalOf(await send('DELETE', path))).toEqual([409, 'CONFLICT']);
    const told = await detail(id, executionId);
    expect(told.stepExecutions.map(({ status }: { status: string }) => status)).toEqual([
      'COMPLETED',
      'SKIPPED',
    ]);
    now += 2 * 86_400_000;
    expect(await turn(executionId)).toEqual({ kind: 'end' });
    expect(await detail(id, executionId)).toEqual(told);
    expect(refusalOf(await send('DELETE', `/workflows/${id}/executions/${unknown}`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ]);
    expect(
      refusalOf(await send('DELETE', `/workflows/${await edit.workflow()}/executions/${executionId}`)),
    ).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('of an ended execution is 409', async () => {
    const id = await edit.workflow();
    await enable(id);
    const { body } = await start(id, await edit.contact('lea@people.test'));
    await turn(body.id);
    expect(refusalOf(await send('DELETE', `/workflows/${id}/executions/${body.id}`))).toEqual([
      409,
      'CONFLICT',
    ]);
  });

  it('all counts the running and waiting executions of the workflow that it ended', async () => {
    const { id } = await waiting();
    const other = await waiting();
    await start(id, await edit.contact('max@people.test'));
    const done = await start(id, await edit.contact('ned@people.test'));
    await send('DELETE', `/workflows/${id}/executions/${done.body.id}`);
    const all = () => send('POST', `/workflows/${id}/executions/cancel-all`);
    const answer = await all();
    expect([answer.status, answer.body]).toEqual([200, { cancelled: 2 }]);
    expect((await all()).body).toEqual({ cancelled: 0 });
    expect((await list(id, '?status=CANCELLED')).total).toBe(3);
    expect((await list(other.id, '?status=WAITING')).total).toBe(1);
    expect(refusalOf(await send('POST', `/workflows/${unknown}/executions/cancel-all`))).toEqual([
      404,
      'WORKFLOW_NOT_FOUND',
    ]);
  });
});

describe('edits while executions are active', () => {
  it('are in force at once for new executions; the workflow itself cannot be deleted', async () => {
    const { id, delay, executionId } = await waiting();
    expect(refusalOf(await send('DELETE', `/workflows/${id}`))).toEqual([409, 'CONFLICT']);
    const patch = (body: object) => send('PATCH', `/workflows/${id}`, body);
    expect((await patch({ triggerConfig: { eventName: 'other' } })).body).toMatchObject({ version: 2 });
    const path = `/workflows/${id}/steps/${delay}`;
    expect((await send('PATCH', path, { config: { amount: 2, unit: 'days' } })).status).toBe(200);
    expect(refusalOf(await send('PATCH', path, { config: { amount: 0, unit: 'days' } }))).toEqual([
      422,
      'VALIDATION_ERROR',
      'config.amount: too_small',
    ]);
    const mail = stepBody('SEND_EMAIL', {}, { autoConnect: false, name: 'Mail' });
    expect(refusalOf(await send('POST', `/workflows/${id}/steps`, mail))).toEqual([
      422,
      'VALIDATION_ERROR',
      'steps.mail.templateId: required',
    ]);
    const { transitions } = await edit.get(id);
    expect((await send('DELETE', `/workflows/${id}/transitions/${transitions[0].id}`)).status).toBe(204);
    expect((await send('DELETE', path)).status).toBe(204);
    expect(await detail(id, executionId)).toMatchObject({
      status: 'WAITING',
      version: 1,
      currentStep: { id: delay },
    });
    await send('DELETE', `/workflows/${id}/executions/${executionId}`);
    expect((await send('DELETE', `/workflows/${id}`)).status).toBe(204);
    expect(refusalOf(await send('GET', `/workflows/${id}/executions/${executionId}`))).toEqual([
      404,
      'WORKFLOW_NOT_FOUND',
    ]);
  });

  it('removing a branch or an outcome that has a transition', async () => {
    const id = await edit.workflow();
    const branches = [
      { id: 'a', name: 'A', operator: 'exists' },
      { id: 'b', name: 'B', operator: 'exists' },
    ];
    const multi = await edit.add(id, stepBody('CONDITION', { mode: 'multi', field: 'data.x', branches }));
    const wait = await edit.add(id, stepBody('WAIT_FOR_EVENT', { eventName: 'x', timeout: 60 }));
    const end = await edit.add(id, stepBody('EXIT', {}, { autoConnect: false }));
    await edit.join(id, wait, end, { waitOutcome: 'TIMEOUT' });
    const patch = (step: string, config: object) =>
      send('PATCH', `/workflows/${id}/steps/${step}`, { config });
    const only = { mode: 'multi', field: 'data.x', branches: branches.slice(1) };
    expect(refusalOf(await patch(multi, only))).toEqual([409, 'CONFLICT']);
    expect(refusalOf(await patch(multi, { field: 'data.x', operator: 'exists' }))).toEqual([409, 'CONFLICT']);
    expect(refusalOf(await patch(wait, { eventName: 'x' }))).toEqual([409, 'CONFLICT']);
    expect((await patch(multi, { ...only, branches: branches.slice(0, 1) })).status).toBe(200);
    expect((await patch(wait, { eventName: 'y', timeout: 5 })).status).toBe(200);
  });
});
