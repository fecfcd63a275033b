import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeConsent } from '../../../audience/consent/index.ts';
import { deleteContact } from '../../../audience/contacts/delete-contact.ts';
import { updateContact } from '../../../audience/contacts/update-contact.ts';
import { createTopic } from '../../../audience/topics/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { dispatchBatch } from './dispatch-events.ts';
import {
  advanceExecution,
  type BuiltWorkflow,
  buildContact,
  buildTemplate,
  buildWorkflow,
  type GivenStep,
  type GivenTransition,
  storeEvent,
} from './runtime.fixture.ts';

let test: TestServices;
let project: TestProject;
let server: Server;
let hooks: string;
let now: number;

interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
const asked: Asked[] = [];
let reply: (response: ServerResponse, count: number) => void;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    asked.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
    reply(response, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  hooks = `http://127.0.0.1:${port}`;
  test = await createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await test.close();
});
beforeEach(async () => {
  project = await createTestProject(test.services);
  asked.length = 0;
  reply = (response) => response.end('{"ok":true}');
  now = Date.now();
});

const turn = (id: string) => advanceExecution(test.services, id, async () => now);
const rowOf = (id: string) =>
  test.services.database.prisma.workflowExecution.findUniqueOrThrow({ where: { id } });

async function enter(
  workflow: BuiltWorkflow,
  {
    context = {},
    data = {},
    subscribed = true,
  }: { context?: object; data?: object; subscribed?: boolean } = {},
) {
  const contact = await buildContact(test.services, project.id, { data, subscribed });
  const id = newId();
  await test.services.database.prisma.workflowExecution.create({
    data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, context, wakeSeq: 1 },
  });
  return { id, contact };
}

const build = (steps: Record<string, GivenStep>, transitions?: GivenTransition[]) =>
  buildWorkflow(test.services, project.id, steps, transitions ? { transitions } : {});

async function stepsOf(executionId: string, workflow: BuiltWorkflow) {
  const rows = await test.services.database.prisma.workflowStepExecution.findMany({ where: { executionId } });
  return Object.fromEntries(rows.map((row) => [workflow.nameOf(row.stepId), row]));
}

describe('TRIGGER, EXIT and the end', () => {
  it('a trigger alone completes, and nothing is left to do', async () => {
    const workflow = await build({});
    const { id } = await enter(workflow);
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await rowOf(id)).toMatchObject({ status: 'COMPLETED', currentStepId: null, exitReason: null });
    expect((await rowOf(id)).completedAt).toBeInstanceOf(Date);
    expect((await stepsOf(id, workflow))['trigger']).toMatchObject({
      status: 'COMPLETED',
      output: { triggered: true, eventName: 'signup', timestamp: (await rowOf(id)).startedAt.toISOString() },
    });
  });

  it.each([
    [{ reason: 'done with it' }, 'done with it'],
    [{}, 'exit_step'],
  ])('EXIT %j ends with the reason %s', async (config, exitReason) => {
    const workflow = await build({ out: { type: 'EXIT', config } });
    const { id } = await enter(workflow);
    await turn(id);
    expect(await rowOf(id)).toMatchObject({ status: 'EXITED', exitReason });
    expect((await stepsOf(id, workflow))['out']?.output).toEqual({ exitReason });
  });

  it('a cancelled execution, and one of a disabled project, take no further step', async () => {
    const { prisma } = test.services.database;
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: hooks } } });
    const first = await enter(workflow);
    await prisma.workflowExecution.update({ where: { id: first.id }, data: { status: 'CANCELLED' } });
    expect(await turn(first.id)).toEqual({ kind: 'end' });
    const second = await enter(workflow);
    await prisma.project.update({ where: { id: project.id }, data: { disabled: true } });
    expect(await turn(second.id)).toEqual({ kind: 'end' });
    expect(await rowOf(second.id)).toMatchObject({ status: 'CANCELLED', exitReason: 'Project disabled' });
    expect(asked).toEqual([]);
  });

  it('an execution is deleted with its contact', async () => {
    const workflow = await build({});
    const { id, contact } = await enter(workflow);
    await test.services.database.prisma.contact.delete({ where: { id: contact.id } });
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await test.services.database.prisma.workflowExecution.count({ where: { id } })).toBe(0);
  });
});

describe('SEND_EMAIL', () => {
  const mailsOf = (id: string) =>
    test.services.database.prisma.email.findMany({ where: { workflowExecutionId: id } });

  it('writes one email with the current content and values, despite concurrent ticks', async () => {
    await verifiedDomain(test.services, project.id, 'mail.test');
    const templateId = await buildTemplate(test.services, project.id);
    const workflow = await build({ mail: { type: 'SEND_EMAIL', templateId } });
    const { id, contact } = await enter(workflow, {
      context: { plan: 'pro' },
      data: { name: 'Ann', plan: 'old' },
    });
    await Promise.all([turn(id), turn(id), turn(id)]);
    const [mail, ...others] = await mailsOf(id);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: contact.email,
      status: 'PENDING',
      sourceType: 'WORKFLOW',
      templateId,
      vars: { name: 'Ann', plan: 'pro', event: { plan: 'pro' } },
    });
    const step = (await stepsOf(id, workflow))['mail'];
    expect(mail?.workflowStepExecutionId).toBe(step?.id);
    expect(step?.output).toEqual({
      emailId: mail?.id,
      recipientType: 'CONTACT',
      recipientEmail: contact.email,
      queuedAt: mail?.createdAt.toISOString(),
      skipped: null,
    });
    expect(
      await test.services.database.prisma.deliveryBatch.findMany({ where: { projectId: project.id } }),
    ).toMatchObject([{ id: mail?.batchId, emailIds: [mail?.id], priority: 2 }]);
  });

  it('tags links as the project says, with the name of the workflow', async () => {
    const { prisma } = test.services.database;
    await verifiedDomain(test.services, project.id, 'mail.test');
    const templateId = await buildTemplate(test.services, project.id);
    const workflow = await build({ mail: { type: 'SEND_EMAIL', templateId } });
    const tagsOf = async () => {
      const { id } = await enter(workflow);
      await turn(id);
      const [mail] = await mailsOf(id);
      return (await prisma.content.findUniqueOrThrow({ where: { id: mail?.contentId ?? '' } })).utm;
    };
    expect(await tagsOf()).toBeNull();
    const utm = { enabled: true, hosts: ['shop.test'] };
    await prisma.project.update({ where: { id: project.id }, data: { utm } });
    await prisma.workflow.update({ where: { id: workflow.id }, data: { name: 'Welcome series' } });
    expect(await tagsOf()).toEqual({
      ...{ hosts: ['shop.test'], source: 'postrider', medium: 'email', campaign: 'welcome-series' },
    });
  });

  it('skips MARKETING email to an unsubscribed contact and continues, but sends it to a custom address', async () => {
    await verifiedDomain(test.services, project.id, 'mail.test');
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const to = (customEmail: string) => ({ config: { recipient: { type: 'CUSTOM', customEmail } } });
    const workflow = await build({
      mail: { type: 'SEND_EMAIL', templateId },
      own: { type: 'SEND_EMAIL', templateId, ...to(' {{email | upcase}}') },
      other: { type: 'SEND_EMAIL', templateId, ...to('{{boss}}@People.test') },
    });
    const { id, contact } = await enter(workflow, { subscribed: false, data: { boss: 'Max' } });
    await turn(id);
    expect((await rowOf(id)).status).toBe('COMPLETED');
    const { mail, own, other } = await stepsOf(id, workflow);
    expect(mail?.output).toMatchObject({ skipped: 'unsubscribed' });
    // A custom address that equals the contact's counts as the contact's.
    expect(own?.output).toMatchObject({
      skipped: 'unsubscribed',
      recipientType: 'CUSTOM',
      recipientEmail: contact.email,
    });
    expect(other?.output).toMatchObject({
      skipped: null,
      recipientType: 'CUSTOM',
      recipientEmail: 'max@people.test',
    });
    expect((await mailsOf(id)).map(({ status, reason }) => [status, reason])).toEqual(
      expect.arrayContaining([
        ['SKIPPED', 'unsubscribed'],
        ['SKIPPED', 'unsubscribed'],
        ['PENDING', null],
      ]),
    );
  });

  it('email to another person needs no subscription of the contact, but follows the opt-outs of that person', async () => {
    const { services } = test;
    const { prisma } = services.database;
    await verifiedDomain(services, project.id, 'mail.test');
    const marketing = await buildTemplate(services, project.id, { type: 'MARKETING' });
    const notice = await buildTemplate(services, project.id, { type: 'TRANSACTIONAL' });
    const to = (customEmail: string) => ({ config: { recipient: { type: 'CUSTOM', customEmail } } });
    const contact = async (email: string, data: object = {}) => {
      const id = newId();
      await prisma.contact.create({ data: { id, projectId: project.id, email, ...data } });
      return id;
    };
    await contact('never@people.test', { subscribed: false, stated: false });
    await contact('snoozed@people.test', {
      subscribed: false,
      snoozedUntil: new Date(Date.now() + 86_400_000),
    });
    const gone = [await contact('left@people.test'), await contact('erased@people.test')];
    for (const id of gone) await updateContact.run(project.ctx, { id, subscribed: false });
    await deleteContact.run(project.ctx, { id: gone[1] ?? '' });
    const workflow = await build({
      never: { type: 'SEND_EMAIL', templateId: marketing, ...to('never@people.test') },
      snoozed: { type: 'SEND_EMAIL', templateId: marketing, ...to('snoozed@people.test') },
      left: { type: 'SEND_EMAIL', templateId: marketing, ...to('left@people.test') },
      erased: { type: 'SEND_EMAIL', templateId: marketing, ...to('erased@people.test') },
      notice: { type: 'SEND_EMAIL', templateId: notice, ...to('left@people.test') },
    });
    const { id } = await enter(workflow, { subscribed: false });
    await turn(id);
    const steps = await stepsOf(id, workflow);
    const found = ['never', 'snoozed', 'left', 'erased', 'notice'].map((name) => [
      name,
      (steps[name]?.output as { skipped: string | null } | undefined)?.skipped,
    ]);
    expect(Object.fromEntries(found)).toEqual({
      never: null,
      snoozed: 'unsubscribed',
      left: 'unsubscribed',
      erased: 'unsubscribed',
      notice: null,
    });
    expect((await mailsOf(id)).map(({ toOther }) => toOther)).toEqual([true, true, true, true, true]);
  });

  it.each([
    ['no template', { templateId: null }, 'No template is selected for this step'],
    ['a deleted template', { templateId: newId() }, 'The template of this step was deleted'],
    ['an unverified sender', {}, 'The sender domain mail.test is not verified'],
    [
      'an address that is none',
      { config: { recipient: { type: 'CUSTOM', customEmail: 'x {{name}}' } } },
      'The recipient "x" is not an email address',
    ],
  ])('with %s fails alone, with a reason', async (_case, step, reason) => {
    const templateId = await buildTemplate(test.services, project.id);
    const workflow = await build({ mail: { type: 'SEND_EMAIL', templateId, ...step } });
    const { id } = await enter(workflow);
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await rowOf(id)).toMatchObject({ status: 'FAILED', exitReason: reason });
    expect((await stepsOf(id, workflow))['mail']).toMatchObject({ status: 'FAILED', error: reason });
    expect(await mailsOf(id)).toEqual([]);
  });
});

describe('DELAY', () => {
  it('waits until its time despite signals and lost Temporal state, and then continues', async () => {
    const workflow = await build({ rest: { type: 'DELAY', config: { amount: 3, unit: 'days' } } });
    const { id } = await enter(workflow);
    const until = now + 3 * 86_400_000;
    expect(await turn(id)).toEqual({ kind: 'wait', until });
    expect(await rowOf(id)).toMatchObject({ status: 'WAITING', dueAt: new Date(until) });
    expect((await stepsOf(id, workflow))['rest']).toMatchObject({
      status: 'SCHEDULED',
      scheduledFor: new Date(until),
    });
    now = until - 1;
    expect(await turn(id)).toEqual({ kind: 'wait', until });
    now = until;
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect((await stepsOf(id, workflow))['rest']?.output).toEqual({
      delayAmount: 3,
      delayUnit: 'days',
      reason: 'amount',
      zone: 'UTC',
      resumeAt: new Date(until).toISOString(),
    });
  });
});

describe('WAIT_FOR_EVENT', () => {
  const wait = (config: object) =>
    build(
      {
        wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', ...config } },
        yes: { type: 'EXIT', config: { reason: 'paid' } },
        no: { type: 'EXIT', config: { reason: 'late' } },
      },
      [
        { from: 'trigger', to: 'wait' },
        { from: 'wait', to: 'yes', waitOutcome: 'EVENT' },
        { from: 'wait', to: 'no', waitOutcome: 'TIMEOUT' },
      ],
    );

  it('ends with the first event since the execution began, whose data is merged into the context', async () => {
    const workflow = await wait({});
    const { id, contact } = await enter(workflow, { context: { a: 1, b: 1 } });
    await test.services.database.prisma.event.create({
      data: {
        ...{ id: newId(), projectId: project.id, contactId: contact.id, name: 'paid', data: { old: true } },
        createdAt: new Date(Date.now() - 60_000),
      },
    });
    expect(await turn(id)).toEqual({ kind: 'wait', until: null });
    expect((await rowOf(id)).status).toBe('WAITING');
    const eventId = await storeEvent(test.services, {
      projectId: project.id,
      contactId: contact.id,
      name: 'paid',
      data: { b: 2 },
    });
    await dispatchBatch(test.services, project.id);
    now = Date.now() + 1_000;
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await rowOf(id)).toMatchObject({ status: 'EXITED', exitReason: 'paid', context: { a: 1, b: 2 } });
    const event = await test.services.database.prisma.event.findUniqueOrThrow({ where: { id: eventId } });
    expect((await stepsOf(id, workflow))['wait']).toMatchObject({
      eventId,
      output: {
        waitOutcome: 'EVENT',
        eventName: 'paid',
        eventData: { b: 2 },
        receivedAt: event.createdAt.toISOString(),
      },
    });
  });

  it('times out', async () => {
    const workflow = await wait({ timeout: 60 });
    const { id } = await enter(workflow);
    expect(await turn(id)).toEqual({ kind: 'wait', until: now + 60_000 });
    now += 60_000;
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await rowOf(id)).toMatchObject({ status: 'EXITED', exitReason: 'late' });
    expect((await stepsOf(id, workflow))['wait']?.output).toEqual({
      waitOutcome: 'TIMEOUT',
      timedOut: true,
      eventName: 'paid',
    });
  });
});

describe('CONDITION', () => {
  const run = async (config: object, given: Parameters<typeof enter>[1]) => {
    const workflow = await build({ ask: { type: 'CONDITION', config } });
    const { id } = await enter(workflow, given);
    await turn(id);
    expect((await rowOf(id)).status).toBe('COMPLETED');
    return (await stepsOf(id, workflow))['ask']?.output as Record<string, unknown>;
  };

  it.each([
    ['data.plan', 'equals', 'pro', true],
    ['contact.data.plan', 'equals', 'pro', true],
    ['data.plan', 'equals', 'PRO', false],
    ['data.age', 'equals', '5', false],
    ['data.age', 'greaterThan', 4, true],
    ['data.missing', 'notEquals', 'x', false],
    ['data.missing', 'notExists', undefined, true],
    ['event.order.total', 'greaterThanOrEqual', 10, true],
    ['workflow.a.b', 'equals', 'literal', true],
    ['event.toString', 'exists', undefined, false],
    ['contact.email', 'contains', 'PEOPLE', true],
    ['contact.email', 'notEquals', 'x@y.z', true],
    ['contact.email', 'equals', { toString: null }, false],
    ['contact.subscribed', 'equals', true, true],
    ['contact.subscribed', 'equals', 'true', false],
    ['contact.status', 'equals', 'subscribed', true],
    ['contact.status', 'isAnyOf', ['never', 'unsubscribed'], false],
    ['contact.createdAt', 'equals', new Date().toISOString().slice(0, 10), true],
    ['contact.createdAt', 'lessThan', '2020-01-01', false],
    ['data.plan', 'isAnyOf', ['free', 'pro'], true],
    ['data.plan', 'isNoneOf', ['free', 'pro'], false],
    ['contact.email', 'endsWith', '.TEST', true],
    ['contact.email', 'isEmpty', undefined, false],
    ['contact.email', 'hasNoneOf', ['vip'], false],
    ['data.tags', 'hasAnyOf', ['vip', 'new'], true],
    ['data.tags', 'hasAllOf', ['vip', 'new'], false],
    ['data.tags', 'hasNoneOf', ['new'], true],
    ['data.missing', 'hasNoneOf', ['vip'], true],
    ['event.items', 'hasAllOf', ['a', 'b'], true],
    ['event.age', 'greaterThan', 29, true],
    ['event.price', 'greaterThan', 20, false],
    ['event.until', 'lessThanOrEqual', '2026-11-20', true],
    ['event.until', 'greaterThan', '2026-11-20', false],
  ])('%s %s %j is %s', async (field, operator, value, result) => {
    const output = await run(
      { field, operator, ...(value === undefined ? {} : { value }) },
      {
        data: { plan: 'pro', age: 5, tags: ['vip', 'beta'] },
        context: {
          ...{ order: { total: 10 }, 'a.b': 'literal', a: { b: 'path' } },
          ...{ items: ['b', 'a', 1], age: '30', price: '35 EUR', until: '2026-11-20T23:59:59Z' },
        },
      },
    );
    expect(output).toMatchObject({
      field,
      operator,
      expectedValue: value ?? null,
      result,
      branch: result ? 'yes' : 'no',
    });
  });

  it('counts whole days and windows in the time zone of the project', async () => {
    const { prisma } = test.services.database;
    const setZone = (timeZone: string) =>
      prisma.project.update({ where: { id: project.id }, data: { timeZone } });
    const context = { at: '2026-11-20T23:30:00Z', soon: new Date(Date.now() + 3_600_000).toISOString() };
    const result = async (config: object) => (await run(config, { context }))['result'];
    const isOn21st = { field: 'event.at', operator: 'equals', value: '2026-11-21' };
    expect(await result(isOn21st)).toBe(false);
    await setZone('Europe/Berlin');
    expect(await result(isOn21st)).toBe(true);
    await setZone('UTC');
    expect(await result({ field: 'event.soon', operator: 'withinNext', value: 2, unit: 'hours' })).toBe(true);
    expect(await result({ field: 'event.soon', operator: 'within', value: 2, unit: 'hours' })).toBe(false);
    expect(await result({ field: 'event.soon', operator: 'onDay', value: 2 })).toBe(false);
  });

  it.each([
    ['gold', 'first'],
    ['silver', 'second'],
    ['none', 'default'],
  ])('of many branches: %s takes %s', async (tier, branch) => {
    const branches = [
      { id: 'first', name: 'First', operator: 'equals', value: 'gold' },
      { id: 'second', name: 'Second', operator: 'contains', value: 'l' },
    ];
    const because = [
      { operator: 'equals', expected: 'gold', matches: tier === 'gold' },
      { operator: 'contains', expected: 'l', matches: tier === 'silver' },
    ].map((reason) => ({ field: 'data.tier', actual: tier, ...reason }));
    const decided = { first: because.slice(0, 1), second: because.toReversed(), default: because }[branch];
    expect(await run({ mode: 'multi', field: 'data.tier', branches }, { data: { tier } })).toEqual({
      field: 'data.tier',
      actualValue: tier,
      branch,
      because: decided,
    });
  });

  it('continues along the matching branch', async () => {
    const workflow = await build(
      {
        ask: { type: 'CONDITION', config: { field: 'contact.subscribed', operator: 'equals', value: true } },
        yes: { type: 'EXIT', config: { reason: 'y' } },
        no: { type: 'EXIT', config: { reason: 'n' } },
      },
      [
        { from: 'trigger', to: 'ask' },
        { from: 'ask', to: 'yes', branch: 'yes' },
        { from: 'ask', to: 'no', branch: 'no' },
      ],
    );
    const there = await enter(workflow);
    const not = await enter(workflow, { subscribed: false });
    await Promise.all([turn(there.id), turn(not.id)]);
    expect((await rowOf(there.id)).exitReason).toBe('y');
    expect((await rowOf(not.id)).exitReason).toBe('n');
  });
});

describe('UPDATE_CONTACT', () => {
  it('changes the status that conditions after it see', async () => {
    const status = { field: 'status', operator: 'equals', value: 'unsubscribed' };
    const workflow = await build(
      {
        leave: { type: 'UPDATE_CONTACT', config: { data: {}, subscriptionAction: 'unsubscribe' } },
        field: {
          type: 'CONDITION',
          config: { field: 'contact.status', operator: 'equals', value: 'unsubscribed' },
        },
        tree: {
          type: 'CONDITION',
          config: { condition: { logic: 'AND', groups: [{ filters: [status] }] } },
        },
        end: { type: 'EXIT', config: { reason: 'seen' } },
      },
      [
        { from: 'trigger', to: 'leave' },
        { from: 'leave', to: 'field' },
        { from: 'field', to: 'tree', branch: 'yes' },
        { from: 'tree', to: 'end', branch: 'yes' },
      ],
    );
    const { id } = await enter(workflow);
    await turn(id);
    expect((await rowOf(id)).exitReason).toBe('seen');
  });

  it('merges rendered values, deletes keys of null, ignores empty ones and flips with an event', async () => {
    const config = {
      data: { plan: '{{event.plan}}', old: null, blank: '{{nothing}}', n: 3 },
      subscriptionAction: 'unsubscribe',
    };
    const workflow = await build({ set: { type: 'UPDATE_CONTACT', config } });
    const { id, contact } = await enter(workflow, { context: { plan: 'pro' }, data: { old: 1, kept: true } });
    await turn(id);
    const { prisma } = test.services.database;
    expect(await prisma.contact.findUniqueOrThrow({ where: { id: contact.id } })).toMatchObject({
      data: { plan: 'pro', n: 3, kept: true },
      subscribed: false,
    });
    expect((await stepsOf(id, workflow))['set']?.output).toEqual({
      updatedKeys: ['n', 'old', 'plan'],
      subscriptionChanged: true,
    });
    expect(await prisma.event.findMany({ where: { contactId: contact.id, kind: 'SYSTEM' } })).toMatchObject([
      { name: 'contact.unsubscribed', data: { reason: 'workflow' } },
    ]);
  });

  it('keeps the type of a value that a text names alone, and makes text of everything else', async () => {
    const data = {
      ...{
        amount: '{{event.amount}}',
        paid: '{{ event.paid }}',
        text: '{{event.digits}}',
        gone: '{{event.nothing}}',
      },
      ...{
        price: '{{event.amount}} EUR',
        sum: '{{event.amount | plus: 1}}',
        or: '{{event.amount ?? 7}}',
        list: '{{event.list}}',
      },
    };
    const workflow = await build({ set: { type: 'UPDATE_CONTACT', config: { data } } });
    const context = { amount: 5, paid: false, digits: '007', list: ['a', 'b'] };
    const { id, contact } = await enter(workflow, { context, data: { gone: 1 } });
    await turn(id);
    const stored = await test.services.database.prisma.contact.findUniqueOrThrow({
      where: { id: contact.id },
    });
    expect(stored.data).toEqual({
      ...{ amount: 5, paid: false, text: '007', gone: 1 },
      ...{ price: '5 EUR', sum: '6', or: '5', list: 'a, b' },
    });
  });

  it('does not fail by a locale, however the program that reported it writes locales', async () => {
    const config = { data: { locale: '{{event.locale}}' } };
    const { prisma } = test.services.database;
    for (const [locale, stored] of [
      ['de_DE.UTF-8', 'de-DE'],
      ['German_Germany.1252', 'German_Germany.1252'],
    ]) {
      const workflow = await build({ set: { type: 'UPDATE_CONTACT', config } });
      const { id, contact } = await enter(workflow, { context: { locale } });
      await turn(id);
      expect((await stepsOf(id, workflow))['set']).toMatchObject({ status: 'COMPLETED' });
      expect((await prisma.contact.findUniqueOrThrow({ where: { id: contact.id } })).data).toEqual({
        locale: stored,
      });
    }
  });

  it('changes lists, and completes with a warning where a value has another type than its field', async () => {
    const { prisma } = test.services.database;
    const config = { data: { seats: '{{event.seats}}', tags: { add: ['vip', '{{event.plan}}'] } } };
    const workflow = await build({ set: { type: 'UPDATE_CONTACT', config } });
    const { id, contact } = await enter(workflow, {
      context: { seats: 'many', plan: 'pro' },
      data: { seats: 3 },
    });
    for (const [key, type] of [
      ['seats', 'NUMBER'],
      ['tags', 'LIST'],
    ] as const)
      await prisma.fieldDefinition.create({ data: { id: newId(), projectId: project.id, key, type } });
    await turn(id);
    await prisma.fieldDefinition.deleteMany({ where: { projectId: project.id } });
    expect((await stepsOf(id, workflow))['set']).toMatchObject({
      status: 'COMPLETED',
      output: { updatedKeys: ['tags'], warnings: [{ field: 'data.seats', code: 'invalid_type' }] },
    });
    expect((await prisma.contact.findUniqueOrThrow({ where: { id: contact.id } })).data).toEqual({
      seats: 3,
      tags: ['vip', 'pro'],
    });
  });

  it('makes choices of topics, which conditions after it know, and ends no opt-out of the recipient', async () => {
    const { prisma } = test.services.database;
    const topic = await createTopic.run(project.ctx, { key: 'news', name: { en: 'News' }, default: 'OUT' });
    const workflow = await build(
      {
        set: { type: 'UPDATE_CONTACT', config: { topics: { news: true, general: false } } },
        ask: {
          type: 'CONDITION',
          config: { field: 'contact.topics.news', operator: 'equals', value: true },
        },
        yes: { type: 'EXIT', config: { reason: 'y' } },
        no: { type: 'EXIT', config: { reason: 'n' } },
      },
      [
        { from: 'trigger', to: 'set' },
        { from: 'set', to: 'ask' },
        { from: 'ask', to: 'yes', branch: 'yes' },
        { from: 'ask', to: 'no', branch: 'no' },
      ],
    );
    const { id, contact } = await enter(workflow);
    await turn(id);
    expect((await stepsOf(id, workflow))['set']?.output).toEqual({
      updatedKeys: [],
      subscriptionChanged: false,
      updatedTopics: ['general', 'news'],
    });
    expect(await prisma.contact.findUniqueOrThrow({ where: { id: contact.id } })).toMatchObject({
      ...{ subscribed: true, topicsOn: [2], topicsOff: [1], topicDefaults: true },
    });
    expect((await rowOf(id)).exitReason).toBe('y');

    const left = await enter(workflow);
    await writeConsent(
      prisma,
      project.id,
      { by: 'recipient', source: 'page', actor: 'recipient', reason: 'link' },
      { contact: left.contact.id, kind: 'state', wanted: false },
    );
    await turn(left.id);
    expect((await stepsOf(left.id, workflow))['set']?.output).toMatchObject({
      subscriptionRefused: true,
      updatedTopics: [],
    });
    expect((await rowOf(left.id)).exitReason).toBe('n');

    // Nothing that names a topic lets it be archived; a step of before may still name one.
    await prisma.topic.update({ where: { id: topic.id }, data: { archived: true } });
    const late = await enter(workflow);
    await turn(late.id);
    expect(await rowOf(late.id)).toMatchObject({
      status: 'FAILED',
      exitReason: expect.stringContaining('no topic news'),
    });
  });

  it('fails with a reason when the contact would become too large', async () => {
    const workflow = await build({ set: { type: 'UPDATE_CONTACT', config: { data: { b: '{{a}}{{a}}' } } } });
    const { id } = await enter(workflow, { data: { a: 'x'.repeat(30_000) } });
    await turn(id);
    expect(await rowOf(id)).toMatchObject({
      status: 'FAILED',
      exitReason: expect.stringContaining('64 KiB'),
    });
  });
});

describe('WEBHOOK', () => {
  it('sends the signed default body and records the answer', async () => {
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: `${hooks}/in?q={{name}}` } } });
    const { id, contact } = await enter(workflow, { context: { plan: 'pro' }, data: { name: 'a b&c/d' } });
    await turn(id);
    const [request] = asked;
    const step = (await stepsOf(id, workflow))['hook'];
    expect(request).toMatchObject({ method: 'POST', path: '/in?q=a%20b%26c%2Fd' });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      contact: { id: contact.id, email: contact.email, subscribed: true, data: { name: 'a b&c/d' } },
      workflow: { id: workflow.id, name: 'Test' },
      execution: { id, startedAt: (await rowOf(id)).startedAt.toISOString() },
      event: { plan: 'pro' },
    });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Postrider/1',
      'x-postrider-delivery': step?.id,
    });
    const [, t, v1] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['x-postrider-signature'])) ?? [];
    const { webhookSecretCipher } = await test.services.database.prisma.project.findUniqueOrThrow({
      where: { id: project.id },
    });
    const secret = test.services.secrets.decrypt(
      webhookSecretCipher ?? '',
      'Project.webhookSecretCipher',
      project.id,
    );
    expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${request?.body}`).digest('hex'));
    expect(step?.output).toEqual({
      url: `${hooks}/in?q=a%20b%26c%2Fd`,
      method: 'POST',
      statusCode: 200,
      success: true,
      response: { ok: true },
      attempts: 1,
    });
  });

  it('fills in strings of body and headers, keeps the signature headers, and sends no body with GET', async () => {
    const headers = { 'content-type': 'text/x', 'X-Name': '{{name}}', 'X-Postrider-Signature': 'forged' };
    const body = { list: ['{{name}}', 1, null], '{{name}}': true };
    const workflow = await build({
      hook: { type: 'WEBHOOK', config: { url: hooks, method: 'PUT', headers, body } },
      get: { type: 'WEBHOOK', config: { url: hooks, method: 'GET', headers } },
    });
    const { id } = await enter(workflow, { data: { name: 'A\r\nX-Evil: 1' } });
    await turn(id);
    expect(asked[0]).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'text/x', 'x-name': 'AX-Evil: 1' },
    });
    expect(asked[0]?.headers['x-postrider-signature']).toMatch(/^t=/);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ list: ['A\r\nX-Evil: 1', 1, null], '{{name}}': true });
    expect(asked[1]).toMatchObject({ method: 'GET', body: '' });
  });

  it('retries after 1, 4, 16 and 60 seconds with the same delivery id, and then fails', async () => {
    reply = (response, count) => response.writeHead(count % 2 === 0 ? 429 : 503).end('busy');
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: hooks } } });
    const { id } = await enter(workflow);
    for (const seconds of [1, 4, 16, 60]) {
      const begun = performance.now();
      const taken = await turn(id);
      const until = taken.kind === 'wait' ? (taken.until ?? 0) : 0;
      // Counted from the failure, shortly after the attempt began.
      expect(until).toBeGreaterThanOrEqual(now + seconds * 1_000);
      expect(until).toBeLessThanOrEqual(now + seconds * 1_000 + (performance.now() - begun) + 1);
      expect(await rowOf(id)).toMatchObject({ status: 'RUNNING', dueAt: null });
      expect(await turn(id)).toEqual({ kind: 'wait', until });
      now = until;
    }
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(asked).toHaveLength(5);
    expect(new Set(asked.map(({ headers }) => headers['x-postrider-delivery'])).size).toBe(1);
    const error = 'The webhook failed after 5 attempts: the answer was 503';
    expect(await rowOf(id)).toMatchObject({ status: 'FAILED', exitReason: error });
    expect((await stepsOf(id, workflow))['hook']).toMatchObject({
      status: 'FAILED',
      error,
      output: { attempts: 5, statusCode: 503, success: false, response: 'busy' },
    });
  });

  it('that takes its worker down at every attempt is asked for five times at most', async () => {
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: hooks } } });
    const { id } = await enter(workflow);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      // The worker is lost before it records the answer: it never comes, and the lease ends.
      await new Promise<void>((resolve) => {
        reply = () => resolve();
        void turn(id).catch(() => undefined);
      });
      now += 31_000;
    }
    reply = (response) => response.writeHead(200).end();
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(asked).toHaveLength(5);
    expect(new Set(asked.map(({ headers }) => headers['x-postrider-delivery'])).size).toBe(1);
    expect(await rowOf(id)).toMatchObject({
      status: 'FAILED',
      exitReason: 'The webhook failed after 5 attempts: none of them ended',
    });
  });

  it('counts the delay from the end of a long attempt, not from its beginning', async () => {
    reply = (response) => setTimeout(() => response.writeHead(500).end(), 600);
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: hooks } } });
    const { id } = await enter(workflow);
    const { until } = (await turn(id)) as { until: number };
    expect(until).toBeGreaterThanOrEqual(now + 1_590);
  });

  it('continues after a refusal by the other service, with success false', async () => {
    reply = (response) => response.writeHead(404).end('x'.repeat(20_000));
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: hooks } } });
    const { id } = await enter(workflow);
    await turn(id);
    expect((await rowOf(id)).status).toBe('COMPLETED');
    expect((await stepsOf(id, workflow))['hook']?.output).toMatchObject({
      statusCode: 404,
      success: false,
      response: 'x'.repeat(10_000),
    });
  });

  it.each(['http://127.0.0.1:1/', 'http://[::1]/', 'http://{{host}}/', '{{host}}'])(
    'to %s fails at once',
    async (url) => {
      const workflow = await build({ hook: { type: 'WEBHOOK', config: { url } } });
      const { id } = await enter(workflow, { data: { host: '169.254.169.254' } });
      expect(await turn(id)).toEqual({ kind: 'end' });
      expect(await rowOf(id)).toMatchObject({
        status: 'FAILED',
        exitReason: expect.stringContaining('The webhook was refused'),
      });
    },
  );
});

describe('a poison contact', () => {
  const text = "{% if data.x == 'poison' %}{{ data.x | nosuchfilter }}{% endif %}";
  const long = '{% for a in (1..data.n) %}{% for b in (1..data.n) %}{{ a }}{% endfor %}{% endfor %}';

  it.each<[string, GivenStep, object, string]>([
    [
      'a text that is no template',
      { type: 'UPDATE_CONTACT', config: { data: { y: text } } },
      {},
      'This step contains an invalid template',
    ],
    [
      'a value that makes the contact too large',
      { type: 'UPDATE_CONTACT', config: { data: { y: '{{big}}{{big}}' } } },
      { big: 'x'.repeat(40_000) },
      '64 KiB',
    ],
    [
      'a value that makes the URL a private one',
      { type: 'WEBHOOK', config: { url: 'http://{{host}}/' } },
      { host: 'localhost' },
      'The webhook was refused',
    ],
    [
      'a value that is no address',
      { type: 'SEND_EMAIL', config: { recipient: { type: 'CUSTOM', customEmail: '{{boss}}' } } },
      { boss: 'nobody' },
      'The recipient "nobody" is not an email address',
    ],
  ])('with %s fails alone, with a reason', async (_case, step, data, reason) => {
    const workflow = await build({ step });
    const { id } = await enter(workflow, { data });
    expect(await turn(id)).toEqual({ kind: 'end' });
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'FAILED', exitReason: expect.stringContaining(reason) });
    expect((await stepsOf(id, workflow))['step']).toMatchObject({ status: 'FAILED', error: row.exitReason });
  });

  it('with characters that no header accepts fails alone, with a reason', async () => {
    const workflow = await build({
      hook: { type: 'WEBHOOK', config: { url: hooks, headers: { 'X-Name': '{{name}}' } } },
    });
    const [fine, poison] = [
      await enter(workflow, { data: { name: 'Ann' } }),
      await enter(workflow, { data: { name: '日本' } }),
    ];
    await Promise.all([turn(fine.id), turn(poison.id)]);
    expect((await rowOf(fine.id)).status).toBe('COMPLETED');
    expect(await rowOf(poison.id)).toMatchObject({
      status: 'FAILED',
      exitReason: expect.stringMatching(/^The webhook was refused: .*X-Name/),
    });
    expect(asked).toHaveLength(1);
  });

  it('does not affect the other executions of its workflow', async () => {
    const workflow = await build({
      hook: { type: 'WEBHOOK', config: { url: `${hooks}/{{name}}`, headers: { 'X-Note': '{{note}}' } } },
      set: { type: 'UPDATE_CONTACT', config: { data: { y: '{{big}}{{big}}' } } },
      out: { type: 'EXIT' },
    });
    const given = [{ name: 'a' }, { name: 'b', big: 'x'.repeat(40_000) }, { name: 'c', big: 'x' }];
    const entered = await Promise.all(given.map((data) => enter(workflow, { data })));
    await Promise.all(entered.map(({ id }) => turn(id)));
    const rows = await Promise.all(entered.map(({ id }) => rowOf(id)));
    expect(rows.map(({ status }) => status)).toEqual(['EXITED', 'FAILED', 'EXITED']);
  });

  const endless = `{% for a in (1..1000000) %}{% for b in (1..1000) %}{% if ${'1 and '.repeat(500)} 1 %}{% endif %}{% endfor %}{% endfor %}`;

  it.each<[string, GivenStep, string]>([
    [
      'ten texts that never end',
      { type: 'WEBHOOK', config: { url: 'http://x.test', body: Array(10).fill(endless) } },
      'rendering took too long',
    ],
    [
      'a text for its data that never ends',
      { type: 'UPDATE_CONTACT', config: { data: { y: endless } } },
      'rendering took too long',
    ],
    [
      'a body that grows beyond 64 KiB',
      { type: 'WEBHOOK', config: { url: 'http://x.test', body: Array(10).fill('{{big}}') } },
      'more than 64 KiB',
    ],
    [
      'a body that grows beyond all limits',
      {
        type: 'WEBHOOK',
        config: { url: 'http://x.test', body: '{% for a in (1..100) %}{{big}}{% endfor %}' },
      },
      'more than 262144 characters',
    ],
  ])('with %s fails alone, with a reason, while others continue', async (_case, step, reason) => {
    const [poison, fine] = [
      await enter(await build({ step }), { data: { big: 'x'.repeat(20_000) } }),
      await enter(
        await build({ set: { type: 'UPDATE_CONTACT', config: { data: { y: '{{ 1 | plus: 1 }}' } } } }),
      ),
    ];
    const turns = [turn(poison.id), turn(fine.id)];
    expect(await Promise.all(turns)).toEqual([{ kind: 'end' }, { kind: 'end' }]);
    expect(await rowOf(poison.id)).toMatchObject({
      status: 'FAILED',
      exitReason: expect.stringContaining(reason),
    });
    expect((await rowOf(fine.id)).status).toBe('COMPLETED');
    expect(asked).toEqual([]);
  });

  it('whose texts would be too large still gets its request, with only variables filled in', async () => {
    const note = `{{name}}:${long}`;
    const workflow = await build({ hook: { type: 'WEBHOOK', config: { url: hooks, body: { note } } } });
    const { id } = await enter(workflow, { data: { name: 'Ann', n: 1_000_000_000 } });
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ note: 'Ann:' }]);
    expect(await rowOf(id)).toMatchObject({ status: 'COMPLETED' });
  });
});
