import { newId } from '@postrider/core/base/lib';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';
import { delayBody, editorOf, refusalOf, stepBody } from './workflow-kit.ts';

/** Editing customer workflows through REST (behaviour B2.6, B2.7, B4.9). */
let test: TestApp;
let send: Send;
let stranger: Send;
let edit: ReturnType<typeof editorOf>;
let templateId: string;
let foreignTemplate: string;
const unknown = newId();

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const nul = 'a\u0000b';

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  edit = editorOf(send);
  const other = await createTestProject(test.services);
  stranger = test.withKey(other.secretKey);
  await verifiedDomain(test.services, test.project.id, 'mail.test');
  await verifiedDomain(test.services, other.id, 'other.test');
  const template = { name: 'T', subject: 'S', body: 'B' };
  templateId = (await send('POST', '/templates', { ...template, from: 'us@mail.test' })).body.id;
  foreignTemplate = (await stranger('POST', '/templates', { ...template, from: 'us@other.test' })).body.id;
});
afterAll(() => test.close());

describe('records have exactly their shapes', () => {
  it('of a workflow, its steps and transitions', async () => {
    const made = await send('POST', '/workflows', {
      name: '  Welcome  ',
      eventName: ' signup ',
      description: 'D',
      allowReentry: true,
      goals: [],
      exits: [],
      enabled: true,
      triggerType: 'MANUAL',
    });
    const record = {
      id: uuid,
      name: 'Welcome',
      description: 'D',
      enabled: false,
      triggerType: 'EVENT',
      triggerConfig: { eventName: 'signup' },
      allowReentry: true,
      alias: null,
      entry: { filter: null, limit: null, every: null },
      timeZone: null,
      goals: [],
      exits: [],
      version: null,
      draft: null,
      errorBudget: true,
      disabledReason: null,
      projectId: test.project.id,
      createdAt: date,
      updatedAt: date,
    };
    const edited = { version: null, draft: null };
    const { id } = made.body;
    const triggerStep = {
      id: uuid,
      workflowId: id,
      key: 'trigger',
      type: 'TRIGGER',
      name: 'Trigger: signup',
      position: { x: 100, y: 100 },
      config: { eventName: 'signup' },
      templateId: null,
      createdAt: date,
      updatedAt: date,
    };
    const bare = { template: null, outgoingTransitions: [], incomingTransitions: [] };
    expect([made.status, made.body]).toEqual([
      201,
      { ...record, steps: [{ ...triggerStep, ...bare }], transitions: [] },
    ]);

    const added = await send('POST', `/workflows/${id}/steps`, {
      type: 'SEND_EMAIL',
      name: 'Mail',
      position: { x: 1.5, y: -2 },
      config: { templateId },
    });
    const step = {
      ...triggerStep,
      id: uuid,
      key: 'mail',
      type: 'SEND_EMAIL',
      name: 'Mail',
      position: { x: 1.5, y: -2 },
      config: {},
      templateId,
    };
    expect([added.status, added.body]).toEqual([201, { ...step, ...edited }]);

    const whole = await send('GET', `/workflows/${id}`);
    const transition = {
      id: uuid,
      workflowId: id,
      fromStepId: made.body.steps[0].id,
      toStepId: added.body.id,
      branch: null,
      waitOutcome: null,
      priority: 0,
      createdAt: date,
      updatedAt: date,
    };
    expect([whole.status, whole.body]).toEqual([
      200,
      {
        ...record,
        steps: [
          { ...triggerStep, ...bare, outgoingTransitions: [transition] },
          {
            ...step,
            template: { id: templateId, name: 'T' },
            outgoingTransitions: [],
            incomingTransitions: [transition],
          },
        ],
        transitions: [transition],
      },
    ]);
    const list = await send('GET', '/workflows');
    expect(list.body.data.find((each: { id: string }) => each.id === id)).toEqual({
      ...record,
      _count: { steps: 2, executions: 0, active: 0, failed24h: 0 },
    });
    const patched = await send('PATCH', `/workflows/${id}`, { description: null, name: null, enabled: true });
    expect([patched.status, patched.body]).toEqual([
      200,
      { ...record, description: null, enabled: true, version: 1 },
    ]);
  });

  it('the list pages, filters, searches and sorts', async () => {
    const other = await createTestProject(test.services);
    const own = test.withKey(other.secretKey);
    const { workflow, add } = editorOf(own);
    const a = await workflow({ name: 'alpha', description: '100% of_it' });
    await add(a, delayBody());
    const b = await workflow({ name: 'beta', description: 'find ME' });
    const c = await workflow({ name: 'gamma' });
    await own('PATCH', `/workflows/${b}`, { enabled: true });
    const ids = async (query: string) => {
      const answer = await own('GET', `/workflows?${query}`);
      expect(answer.status).toBe(200);
      return answer.body.data.map(({ id }: { id: string }) => id);
    };
    expect(await ids('')).toEqual([c, b, a]);
    expect(await ids('dir=asc')).toEqual([a, b, c]);
    expect(await ids('sort=nonsense&dir=nonsense')).toEqual([c, b, a]);
    expect(await ids('sort=updatedAt')).toEqual([b, c, a]);
    expect((await ids('sort=steps'))[0]).toBe(a);
    expect(await ids('sort=name&dir=asc')).toEqual([a, b, c]);
    expect(await ids('status=active')).toEqual([b]);
    expect(await ids('status=disabled')).toEqual([c, a]);
    expect(await ids('search=BETA')).toEqual([b]);
    expect(await ids('search=me')).toEqual([b]);
    expect(await ids('search=')).toEqual([c, b, a]);
    expect(await ids(`search=${encodeURIComponent('0%')}`)).toEqual([a]);
    expect(await ids('search=f_i')).toEqual([a]);
    expect(await ids('pageSize=2&page=2')).toEqual([a]);
    const past = await own('GET', '/workflows?page=9&pageSize=500');
    expect(past.body).toEqual({ data: [], page: 9, pageSize: 100, total: 3, totalPages: 1 });
    const odd = await own('GET', '/workflows?page=0&pageSize=x');
    expect(odd.body).toMatchObject({ page: 1, pageSize: 20 });
    const none = await own('GET', '/workflows?search=zzz');
    expect(none.body).toEqual({ data: [], page: 1, pageSize: 20, total: 0, totalPages: 0 });
    expect(refusalOf(await own('GET', '/workflows?status=on'))).toEqual([400, 'BAD_REQUEST']);
  });

  it('fields of conditions: those of contacts, of their data and of recent events', async () => {
    const other = await createTestProject(test.services);
    const own = test.withKey(other.secretKey);
    await own('POST', '/contacts', { email: 'f@people.test', data: { plan: 'pro', since: '2026-01-01' } });
    await own('POST', '/events/track', { name: 'bought', data: { price: 5, paid: true, items: [1] } });
    await own('POST', '/events/track', { name: 'left', data: { why: 'dear' } });
    await own('POST', '/events/track', { name: 'empty' });
    const typed = (field: string, type: string, category: string) => ({ field, type, category });
    const contact = [
      typed('contact.createdAt', 'date', 'Contact Fields'),
      typed('contact.email', 'string', 'Contact Fields'),
      typed('contact.subscribed', 'boolean', 'Contact Fields'),
      typed('contact.updatedAt', 'date', 'Contact Fields'),
      typed('data.plan', 'string', 'Custom Data'),
      typed('data.since', 'date', 'Custom Data'),
    ];
    const bought = [
      typed('event.items', 'array', 'Event Data'),
      typed('event.paid', 'boolean', 'Event Data'),
      typed('event.price', 'number', 'Event Data'),
    ];
    const left = [typed('event.why', 'string', 'Event Data')];
    const answer = async (query: string) => {
      const { status, body } = await own('GET', `/workflows/fields${query}`);
      expect(status).toBe(200);
      expect(body.fields).toEqual(body.typedFields.map(({ field }: { field: string }) => field));
      expect(body.count).toBe(body.fields.length);
      expect(Object.keys(body).sort()).toEqual(['count', 'fields', 'typedFields']);
      return body.typedFields;
    };
    expect(await answer('')).toEqual([...contact, ...bought, ...left]);
    expect(await answer('?eventName=')).toEqual([...contact, ...bought, ...left]);
    expect(await answer('?eventName=bought')).toEqual([...contact, ...bought]);
    expect(await answer('?eventName=never')).toEqual(contact);
  });
});

describe('422 names the field', () => {
  it.each<[string, object, string]>([
    ['name too long', { name: 'x'.repeat(101) }, 'name: too_big'],
    ['name of another type', { name: 5 }, 'name: invalid_type'],
    ['NUL in the name', { name: nul }, 'name: custom'],
    ['description too long', { description: 'x'.repeat(501) }, 'description: too_big'],
    ['NUL in the description', { description: nul }, 'description: custom'],
    ['event too long', { eventName: 'x'.repeat(256) }, 'eventName: too_big'],
    ['control character in the event', { eventName: 'a\nb' }, 'eventName: invalid_string'],
    ['event of another type', { eventName: {} }, 'eventName: invalid_type'],
    ['allowReentry of another type', { allowReentry: 'true' }, 'allowReentry: invalid_type'],
  ])('POST /workflows: %s', async (_why, body, field) => {
    const answer = await send('POST', '/workflows', { name: 'X', eventName: 'x', ...body });
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR', field]);
  });

  it.each<[object, number, string, string?]>([
    [{ name: ' ' }, 422, 'VALIDATION_ERROR', 'name: required'],
    [{ name: 'x'.repeat(101) }, 422, 'VALIDATION_ERROR', 'name: too_big'],
    [{ description: 'x'.repeat(501) }, 422, 'VALIDATION_ERROR', 'description: too_big'],
    [{ enabled: 'yes' }, 422, 'VALIDATION_ERROR', 'enabled: invalid_type'],
    [{ allowReentry: 1 }, 422, 'VALIDATION_ERROR', 'allowReentry: invalid_type'],
    [{ triggerType: 'TIMER' }, 422, 'VALIDATION_ERROR', 'triggerType: invalid_enum_value'],
    [{ triggerType: 'EVENT' }, 422, 'VALIDATION_ERROR', 'triggerConfig: required'],
    [{ triggerType: 'SCHEDULE' }, 422, 'VALIDATION_ERROR', 'triggerConfig: required'],
    [{ triggerType: 'SCHEDULE', triggerConfig: {} }, 422, 'VALIDATION_ERROR', 'triggerConfig.cron: required'],
    [
      { triggerType: 'EVENT', triggerConfig: {} },
      422,
      'VALIDATION_ERROR',
      'triggerConfig.eventName: required',
    ],
    [{ triggerConfig: 'x' }, 422, 'VALIDATION_ERROR', 'triggerConfig: invalid_type'],
    [{ triggerConfig: { eventName: '' } }, 422, 'VALIDATION_ERROR', 'triggerConfig.eventName: required'],
    [
      { triggerConfig: { eventName: 'x'.repeat(256) } },
      422,
      'VALIDATION_ERROR',
      'triggerConfig.eventName: too_big',
    ],
    [{ triggerConfig: { eventName: nul } }, 422, 'VALIDATION_ERROR', 'triggerConfig.eventName: custom'],
    ...['61 * * * *', '* * * *', '* * * * * *', 'x', '@daily', '* * 31 2 *', '*/0 * * * *'].map(
      (cron): [object, number, string, string] => [
        { triggerType: 'SCHEDULE', triggerConfig: { cron } },
        422,
        'VALIDATION_ERROR',
        'triggerConfig.cron: custom',
      ],
    ),
    ...['Mars/Base', '+02:00', 'x y'].map((timezone): [object, number, string, string] => [
      { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * 1', timezone } },
      422,
      'VALIDATION_ERROR',
      'triggerConfig.timezone: invalid_timezone',
    ]),
    [
      { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * 1', segmentId: 'x' } },
      422,
      'VALIDATION_ERROR',
      'triggerConfig.segmentId: invalid_string',
    ],
    [
      { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * 1', segmentId: unknown } },
      404,
      'SEGMENT_NOT_FOUND',
    ],
    [{ triggerConfig: {}, enabled: true }, 400, 'BAD_REQUEST'],
  ])('PATCH /workflows/:id %j: %i', async (body, status, code, ...field) => {
    const id = await edit.workflow();
    const answer = await send('PATCH', `/workflows/${id}`, body);
    expect(refusalOf(answer)).toEqual([status, code, ...field]);
    expect(await edit.get(id)).toMatchObject({ enabled: false, triggerConfig: { eventName: 'signup' } });
  });

  const url = 'https://hooks.example.com/x';
  const branch = (id: string, more: object = {}) => ({ id, name: id, operator: 'exists', ...more });
  it.each<[string, object, string]>([
    ['DELAY', { unit: 'days' }, 'config.amount: required'],
    ['DELAY', { amount: 0, unit: 'days' }, 'config.amount: too_small'],
    ['DELAY', { amount: -1, unit: 'days' }, 'config.amount: too_small'],
    ['DELAY', { amount: 1.5, unit: 'days' }, 'config.amount: invalid_type'],
    ['DELAY', { amount: '1', unit: 'days' }, 'config.amount: invalid_type'],
    ['DELAY', { amount: 366, unit: 'days' }, 'config.amount: too_big'],
    ['DELAY', { amount: 525_601, unit: 'minutes' }, 'config.amount: too_big'],
    ['DELAY', { amount: 1 }, 'config.unit: required'],
    ['DELAY', { amount: 1, unit: 'weeks' }, 'config.unit: invalid_enum_value'],
    ['WAIT_FOR_EVENT', {}, 'config.eventName: required'],
    ['WAIT_FOR_EVENT', { eventName: ' ' }, 'config.eventName: required'],
    ['WAIT_FOR_EVENT', { eventName: 'x'.repeat(256) }, 'config.eventName: too_big'],
    ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 0 }, 'config.timeout: too_small'],
    ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 31_536_001 }, 'config.timeout: too_big'],
    ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 1.5 }, 'config.timeout: invalid_type'],
    ['CONDITION', { operator: 'exists' }, 'config.field: required'],
    ['CONDITION', { field: 'plan', operator: 'exists' }, 'config.field: unsupported_field'],
    ['CONDITION', { field: 'contact.phone', operator: 'exists' }, 'config.field: unsupported_field'],
    ['CONDITION', { field: 'data.', operator: 'exists' }, 'config.field: unsupported_field'],
    ['CONDITION', { field: 'data.plan' }, 'config.operator: required'],
    ['CONDITION', { field: 'data.plan', operator: 'triggered' }, 'config.operator: invalid_enum_value'],
    ['CONDITION', { field: 'data.plan', operator: 'equals' }, 'config.value: required'],
    [
      'CONDITION',
      { field: 'contact.createdAt', operator: 'lessThan', value: 'x' },
      'config.value: invalid_date',
    ],
    ['CONDITION', { mode: 'many', field: 'data.x', operator: 'exists' }, 'config.mode: invalid_enum_value'],
    ['CONDITION', { mode: 'multi', field: 'data.x' }, 'config.branches: required'],
    ['CONDITION', { mode: 'multi', field: 'data.x', branches: [] }, 'config.branches: too_small'],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.x', branches: Array.from({ length: 21 }, (_, n) => branch(`b${n}`)) },
      'config.branches: too_big',
    ],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.x', branches: [branch('default')] },
      'config.branches.0.id: custom',
    ],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.x', branches: [branch('a'), branch('a')] },
      'config.branches.1.id: custom',
    ],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.x', branches: [branch('a', { name: '' })] },
      'config.branches.0.name: required',
    ],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.x', branches: [branch('a', { operator: 'equals' })] },
      'config.branches.0.value: required',
    ],
    ['WEBHOOK', {}, 'config.url: required'],
    ['WEBHOOK', { url: 'ftp://example.com' }, 'config.url: invalid_string'],
    ['WEBHOOK', { url: 'example.com/x' }, 'config.url: invalid_string'],
    ['WEBHOOK', { url: 'javascript:alert(1)' }, 'config.url: invalid_string'],
    ['WEBHOOK', { url: 'http://' }, 'config.url: invalid_string'],
    ['WEBHOOK', { url: 5 }, 'config.url: invalid_type'],
    ['WEBHOOK', { url, method: 'HEAD' }, 'config.method: invalid_enum_value'],
    ['WEBHOOK', { url, headers: { 'X-A': 5 } }, 'config.headers.X-A: invalid_type'],
    ['WEBHOOK', { url, headers: { 'X-A': 'a\r\nX-B: b' } }, 'config.headers.X-A: invalid_string'],
    ['WEBHOOK', { url, headers: { 'X A': 'a' } }, 'config.headers.X A: invalid_string'],
    ['WEBHOOK', { url, headers: [] }, 'config.headers: invalid_type'],
    ['WEBHOOK', { url: 'https://x.test/{{ a | nofilter }}' }, 'config.url: template_syntax'],
    ['WEBHOOK', { url, body: { a: [nul] } }, 'config.body.a.0: custom'],
    ['WEBHOOK', { url, body: { a: ['{{'] } }, 'config.body.a.0: template_syntax'],
    ['UPDATE_CONTACT', {}, 'config.data: required'],
    ['UPDATE_CONTACT', { data: {} }, 'config.data: required'],
    ['UPDATE_CONTACT', { data: { plan: '' } }, 'config.data: required'],
    ['UPDATE_CONTACT', { data: { email: 'x', id: 'y' } }, 'config.data: required'],
    ['UPDATE_CONTACT', { subscriptionAction: 'none' }, 'config.data: required'],
    ['UPDATE_CONTACT', { subscriptionAction: 'toggle' }, 'config.subscriptionAction: invalid_enum_value'],
    ['UPDATE_CONTACT', { data: { plan: [1] } }, 'config.data.plan: invalid_type'],
    ['UPDATE_CONTACT', { data: { plan: { a: 1 } } }, 'config.data.plan: invalid_type'],
    ['UPDATE_CONTACT', { data: { ['k'.repeat(101)]: 'x' } }, `config.data.${'k'.repeat(101)}: custom`],
    ['UPDATE_CONTACT', { data: { plan: 'x'.repeat(65_536) } }, 'config.data: too_big'],
    ['UPDATE_CONTACT', { data: 'x' }, 'config.data: invalid_type'],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM' } }, 'config.recipient.customEmail: required'],
    [
      'SEND_EMAIL',
      { recipient: { type: 'CUSTOM', customEmail: 'x' } },
      'config.recipient.customEmail: invalid_string',
    ],
    ['SEND_EMAIL', { recipient: { type: 'OTHER' } }, 'config.recipient.type: invalid_enum_value'],
    ['SEND_EMAIL', { templateId: 'x' }, 'config.templateId: invalid_string'],
    ['EXIT', { reason: 'x'.repeat(201) }, 'config.reason: too_big'],
    ['EXIT', { reason: 5 }, 'config.reason: invalid_type'],
  ])('a step %s %j: %s', async (type, config, field) => {
    const id = await edit.workflow();
    const answer = await send('POST', `/workflows/${id}/steps`, stepBody(type, config));
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR', field]);
    expect((await edit.get(id)).steps).toHaveLength(1);
  });

  it.each<[object, string]>([
    [{ type: 'SLEEP' }, 'type: invalid_enum_value'],
    [{ type: 5 }, 'type: invalid_enum_value'],
    [{ name: 'x'.repeat(101) }, 'name: too_big'],
    [{ name: nul }, 'name: custom'],
    [{ position: 'here' }, 'position: invalid_type'],
    [{ position: {} }, 'position.x: required'],
    [{ position: { x: 1, y: '2' } }, 'position.y: invalid_type'],
    [{ config: 'x' }, 'config: invalid_type'],
    [{ config: [] }, 'config: invalid_type'],
    [{ templateId: 'x' }, 'templateId: invalid_string'],
    [{ autoConnect: 'no' }, 'autoConnect: invalid_type'],
  ])('POST …/steps %j: %s', async (body, field) => {
    const answer = await send('POST', `/workflows/${await edit.workflow()}/steps`, delayBody(body));
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR', field]);
  });
});

it.each<[string, object, object]>([
  ['SEND_EMAIL', {}, {}],
  [
    'SEND_EMAIL',
    { recipient: { type: 'CUSTOM', customEmail: ' {{event.mail}} ' } },
    { recipient: { type: 'CUSTOM', customEmail: '{{event.mail}}' } },
  ],
  [
    'SEND_EMAIL',
    { recipient: { type: 'CUSTOM', customEmail: 'Boss@Firm.Test' } },
    { recipient: { type: 'CUSTOM', customEmail: 'boss@firm.test' } },
  ],
  ['DELAY', { amount: 365, unit: 'days' }, { amount: 365, unit: 'days' }],
  ['DELAY', { amount: 525_600, unit: 'minutes' }, { amount: 525_600, unit: 'minutes' }],
  ['WAIT_FOR_EVENT', { eventName: 'email.open' }, { eventName: 'email.open' }],
  ['WAIT_FOR_EVENT', { eventName: 'x', timeout: null }, { eventName: 'x' }],
  ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 31_536_000 }, { eventName: 'x', timeout: 31_536_000 }],
  [
    'CONDITION',
    { field: 'contact.data.a.b', operator: 'equals', value: null },
    { field: 'contact.data.a.b', operator: 'equals', value: null },
  ],
  [
    'CONDITION',
    { field: 'workflow.a', operator: 'notExists' },
    { field: 'workflow.a', operator: 'notExists' },
  ],
  ['WEBHOOK', { url: '{{event.url}}', body: null }, { url: '{{event.url}}', body: null }],
  [
    'WEBHOOK',
    { url: 'http://10.0.0.1/', method: 'GET', headers: { 'X-A': '{{email}}' }, body: [1, 'x'] },
    { url: 'http://10.0.0.1/', method: 'GET', headers: { 'X-A': '{{email}}' }, body: [1, 'x'] },
  ],
  ['UPDATE_CONTACT', { updates: { plan: null } }, { data: { plan: null } }],
  ['UPDATE_CONTACT', { subscriptionAction: 'unsubscribe' }, { subscriptionAction: 'unsubscribe' }],
  ['EXIT', { reason: 'x'.repeat(200) }, { reason: 'x'.repeat(200) }],
])('a step %s takes %j', async (type, config, stored) => {
  const answer = await send('POST', `/workflows/${await edit.workflow()}/steps`, stepBody(type, config));
  expect([answer.status, answer.body.config]).toEqual([201, stored]);
});

describe('adding steps', () => {
  it('connects to the newest step without a transition that is not an EXIT', async () => {
    const id = await edit.workflow();
    await edit.add(id, stepBody('CONDITION', { field: 'data.a', operator: 'exists' }, { name: 'if' }));
    await edit.add(id, stepBody('EXIT', {}, { name: 'end' }));
    expect(await edit.arrows(id)).toEqual(['Trigger>if', 'if>end yes']);
    // All steps have transitions now except for the EXIT: there is nothing to connect to.
    await edit.add(id, stepBody('WAIT_FOR_EVENT', { eventName: 'x', timeout: 60 }, { name: 'wait' }));
    expect(await edit.arrows(id)).toHaveLength(2);
    await edit.add(id, delayBody({ name: 'later' }));
    expect(await edit.arrows(id)).toEqual(['Trigger>if', 'if>end yes', 'wait>later']);
    await edit.add(id, delayBody({ name: 'alone', autoConnect: false }));
    await edit.add(
      id,
      stepBody(
        'CONDITION',
        { mode: 'multi', field: 'data.a', branches: [{ id: 'one', name: '1', operator: 'exists' }] },
        { name: 'many', autoConnect: null },
      ),
    );
    await edit.add(id, delayBody({ name: 'first' }));
    expect(await edit.arrows(id)).toEqual([
      'Trigger>if',
      'alone>many',
      'if>end yes',
      'many>first one',
      'wait>later',
    ]);
  });

  it('a second TRIGGER is 400, an unknown or foreign template 404, an unknown workflow 404', async () => {
    const id = await edit.workflow();
    const steps = `/workflows/${id}/steps`;
    expect(refusalOf(await send('POST', steps, stepBody('TRIGGER', { eventName: 'x' })))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    for (const bad of [unknown, foreignTemplate]) {
      const given = stepBody('SEND_EMAIL', {}, { templateId: bad });
      expect(refusalOf(await send('POST', steps, given))).toEqual([404, 'TEMPLATE_NOT_FOUND']);
      const moved = stepBody('SEND_EMAIL', { templateId: bad });
      expect(refusalOf(await send('POST', steps, moved))).toEqual([404, 'TEMPLATE_NOT_FOUND']);
    }
    expect(refusalOf(await send('POST', `/workflows/${unknown}/steps`, delayBody()))).toEqual([
      404,
      'WORKFLOW_NOT_FOUND',
    ]);
    expect((await edit.get(id)).steps).toHaveLength(1);
  });
});

describe('changing steps', () => {
  it('changes the given fields, clears those that are null, and keeps the rest', async () => {
    const id = await edit.workflow();
    const stepId = await edit.add(id, stepBody('SEND_EMAIL', { templateId }, { name: 'mail' }));
    const path = `/workflows/${id}/steps/${stepId}`;
    const patch = async (body: object) => (await send('PATCH', path, body)).body;
    expect(await patch({ name: ' new ', type: 'EXIT' })).toMatchObject({
      type: 'SEND_EMAIL',
      name: 'new',
      templateId,
    });
    expect(await patch({ position: { x: 7, y: 8 } })).toMatchObject({ position: { x: 7, y: 8 }, templateId });
    const custom = { recipient: { type: 'CUSTOM', customEmail: 'a@b.test' } };
    expect(await patch({ config: custom })).toMatchObject({ config: custom, templateId });
    expect(await patch({ templateId: null })).toMatchObject({ config: custom, templateId: null });
    expect(await patch({ config: { templateId } })).toMatchObject({ config: {}, templateId });
    expect(refusalOf(await send('PATCH', path, { templateId: foreignTemplate }))).toEqual([
      404,
      'TEMPLATE_NOT_FOUND',
    ]);
    expect(refusalOf(await send('PATCH', path, { name: '' }))).toEqual([
      422,
      'VALIDATION_ERROR',
      'name: required',
    ]);
    expect(refusalOf(await send('PATCH', path, { config: { recipient: 5 } }))).toEqual([
      422,
      'VALIDATION_ERROR',
      'config.recipient: invalid_type',
    ]);
    expect(refusalOf(await send('PATCH', `/workflows/${id}/steps/${unknown}`, { name: 'x' }))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ]);
    expect(refusalOf(await send('PATCH', `/workflows/${id}/steps/x`, {}))).toEqual([
      422,
      'VALIDATION_ERROR',
      'stepId: invalid_string',
    ]);
  });

  it('the event of the TRIGGER is changed only through the workflow, and the step is updated', async () => {
    const id = await edit.workflow();
    const trigger = await edit.trigger(id);
    const path = `/workflows/${id}/steps/${trigger}`;
    expect(refusalOf(await send('PATCH', path, { config: { eventName: 'other' } }))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    expect(
      (await send('PATCH', path, { config: { eventName: 'signup' }, position: { x: 1, y: 1 } })).status,
    ).toBe(200);
    const patch = (body: object) => send('PATCH', `/workflows/${id}`, body);
    await patch({ triggerConfig: { eventName: 'other' } });
    const step = async () => (await edit.get(id)).steps[0];
    expect(await step()).toMatchObject({
      name: 'Trigger: other',
      config: { eventName: 'other' },
      position: { x: 1, y: 1 },
    });
    expect((await patch({ triggerType: 'MANUAL' })).body).toMatchObject({
      triggerType: 'MANUAL',
      triggerConfig: {},
    });
    expect(await step()).toMatchObject({ type: 'TRIGGER', config: {} });
    const scheduled = await patch({
      triggerType: 'SCHEDULE',
      triggerConfig: { cron: '*/5 9-17 * * MON-FRI' },
    });
    expect(scheduled.body).toMatchObject({
      triggerType: 'SCHEDULE',
      triggerConfig: { cron: '*/5 9-17 * * MON-FRI', timezone: 'UTC' },
    });
    expect(await step()).toMatchObject({ config: {} });
    const { body: segment } = await send('POST', '/segments', { name: 'S', type: 'STATIC' });
    const full = { cron: '0 9 1 * *', timezone: 'America/Argentina/Buenos_Aires', segmentId: segment.id };
    expect((await patch({ triggerConfig: full, enabled: true })).body).toMatchObject({
      triggerConfig: full,
      enabled: true,
    });
    expect(
      (await patch({ triggerType: 'EVENT', triggerConfig: { eventName: 'segment.vip.entry' } })).body,
    ).toMatchObject({
      triggerConfig: { eventName: 'segment.vip.entry' },
    });
    expect(await step()).toMatchObject({ config: { eventName: 'segment.vip.entry' } });
  });

  it('a TRIGGER’s name of at most 100 characters never ends in half a character', async () => {
    const made = await send('POST', '/workflows', { name: 'X', eventName: `${'a'.repeat(90)}😀😀` });
    expect(made.body.steps[0].name).toBe(`Trigger: ${'a'.repeat(90)}`);
  });
});

describe('deleting steps', () => {
  let id: string;
  const ids: Record<string, string> = {};
  // trigger → a → if ─yes→ b → c → end
  //                  └no─→ d ──→ c
  beforeEach(async () => {
    id = await edit.workflow();
    const add = async (name: string, body: object) => {
      ids[name] = await edit.add(id, { ...body, name, autoConnect: false });
    };
    ids['Trigger'] = await edit.trigger(id);
    await add('a', delayBody());
    await add('if', stepBody('CONDITION', { field: 'data.a', operator: 'exists' }));
    await add('b', delayBody());
    await add('c', delayBody());
    await add('d', delayBody());
    await add('end', stepBody('EXIT'));
    for (const [from, to, branch] of [
      ['Trigger', 'a'],
      ['a', 'if'],
      ['if', 'b', 'yes'],
      ['if', 'd', 'no'],
      ['b', 'c'],
      ['d', 'c'],
      ['c', 'end'],
    ] as const) {
      const answer = await edit.join(id, ids[from] ?? '', ids[to] ?? '', branch ? { branch } : {});
      expect(answer.status).toBe(201);
    }
  });
  const remove = (name: string, query = '') => send('DELETE', `/workflows/${id}/steps/${ids[name]}${query}`);
  const names = async () =>
    (await edit.get(id)).steps.map(({ name }: { name: string }) => name.split(':')[0]);

  it.each<[string, string, string[], string[]]>([
    // Without splice, steps that can only be reached through it are deleted too.
    ['a', '', ['Trigger'], []],
    ['if', '?splice=false', ['Trigger', 'a'], ['Trigger>a']],
    ['b', '', ['Trigger', 'a', 'if', 'c', 'd', 'end'], ['Trigger>a', 'a>if', 'c>end', 'd>c', 'if>d no']],
    ['c', '', ['Trigger', 'a', 'if', 'b', 'd'], ['Trigger>a', 'a>if', 'if>b yes', 'if>d no']],
    // With splice, only the step is deleted, and its predecessors lead to its successor.
    [
      'a',
      '?splice=true',
      ['Trigger', 'if', 'b', 'c', 'd', 'end'],
      ['Trigger>if', 'b>c', 'c>end', 'd>c', 'if>b yes', 'if>d no'],
    ],
    [
      'b',
      '?splice=true',
      ['Trigger', 'a', 'if', 'c', 'd', 'end'],
      ['Trigger>a', 'a>if', 'c>end', 'd>c', 'if>c yes', 'if>d no'],
    ],
    [
      'c',
      '?splice=true',
      ['Trigger', 'a', 'if', 'b', 'd', 'end'],
      ['Trigger>a', 'a>if', 'b>end', 'd>end', 'if>b yes', 'if>d no'],
    ],
    [
      'end',
      '?splice=true',
      ['Trigger', 'a', 'if', 'b', 'c', 'd'],
      ['Trigger>a', 'a>if', 'b>c', 'd>c', 'if>b yes', 'if>d no'],
    ],
  ])('%s%s', async (name, query, left, arrows) => {
    const answer = await remove(name, query);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect([await names(), await edit.arrows(id)]).toEqual([left, arrows]);
  });

  it('refuses the TRIGGER, splicing a step with branches, invalid values and other projects', async () => {
    expect(refusalOf(await remove('Trigger'))).toEqual([400, 'BAD_REQUEST']);
    expect(refusalOf(await remove('Trigger', '?splice=true'))).toEqual([400, 'BAD_REQUEST']);
    expect(refusalOf(await remove('if', '?splice=true'))).toEqual([400, 'BAD_REQUEST']);
    const wait = await edit.add(id, stepBody('WAIT_FOR_EVENT', { eventName: 'x' }, { autoConnect: false }));
    expect(refusalOf(await send('DELETE', `/workflows/${id}/steps/${wait}?splice=true`))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    expect(refusalOf(await remove('b', '?splice=maybe'))).toEqual([400, 'BAD_REQUEST']);
    expect(refusalOf(await send('DELETE', `/workflows/${id}/steps/${unknown}`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ]);
    const other = await edit.workflow();
    expect(refusalOf(await send('DELETE', `/workflows/${other}/steps/${ids['b']}`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ]);
    expect(await names()).toHaveLength(8);
  });
});

describe('transitions', () => {
  it('may branch, join and end anywhere, but not form loops', async () => {
    const id = await edit.workflow();
    const trigger = await edit.trigger(id);
    const lone = { autoConnect: false };
    const [a, b, end] = [
      await edit.add(id, delayBody({ name: 'a', ...lone })),
      await edit.add(id, delayBody({ name: 'b', ...lone })),
      await edit.add(id, stepBody('EXIT', {}, { name: 'end', ...lone })),
    ];
    const test = { field: 'data.a', operator: 'exists' };
    const yesNo = await edit.add(id, stepBody('CONDITION', test, { name: 'if', ...lone }));
    const multi = await edit.add(
      id,
      stepBody(
        'CONDITION',
        { mode: 'multi', field: 'data.a', branches: [{ id: 'one', name: '1', operator: 'exists' }] },
        { name: 'many', ...lone },
      ),
    );
    const wait = await edit.add(
      id,
      stepBody('WAIT_FOR_EVENT', { eventName: 'x', timeout: 60 }, { name: 'wait', ...lone }),
    );
    const patient = await edit.add(
      id,
      stepBody('WAIT_FOR_EVENT', { eventName: 'x' }, { name: 'patient', ...lone }),
    );

    const made = await edit.join(id, trigger, a, { priority: 3, branch: null, waitOutcome: null });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: uuid,
        workflowId: id,
        fromStepId: trigger,
        toStepId: a,
        branch: null,
        waitOutcome: null,
        priority: 3,
        createdAt: date,
        updatedAt: date,
        version: null,
        draft: null,
      },
    ]);
    const allowed: [string, string, object?][] = [
      [a, yesNo],
      [yesNo, b, { branch: 'yes' }],
      [yesNo, wait, { condition: { branch: 'no' } }],
      [wait, multi, { waitOutcome: 'EVENT' }],
      [multi, end, { branch: 'one' }],
      [multi, b, { branch: 'default' }],
      [patient, end],
    ];
    for (const [from, to, more] of allowed) expect((await edit.join(id, from, to, more)).status).toBe(201);

    const refused: [string, string, string, object?][] = [
      ['to itself', b, b],
      ['from EXIT', end, a],
      ['into TRIGGER', b, trigger],
      ['a second one', a, b],
      ['a second one from the TRIGGER', trigger, b],
      ['a loop of two', yesNo, a, { branch: 'no' }],
      ['a long loop', b, a],
      ['a loop through branches', b, wait],
      ['the same branch twice', yesNo, end, { branch: 'yes' }],
      ['the same branch twice by condition', yesNo, end, { condition: { branch: 'yes' } }],
      ['no branch on a CONDITION', multi, a],
      ['an empty branch on a CONDITION', multi, a, { branch: '' }],
      ['an unknown branch', yesNo, end, { branch: 'maybe' }],
      ['a branch in other letters', multi, a, { branch: 'ONE' }],
      ['an over-long branch', multi, a, { branch: 'x'.repeat(300) }],
      ['yes on a multi CONDITION', multi, a, { branch: 'yes' }],
      ['default on a binary CONDITION', yesNo, end, { branch: 'default' }],
      ['a branch for another type', b, end, { branch: 'yes' }],
      ['a branch for a wait', wait, end, { branch: 'yes' }],
      ['an outcome for another type', b, end, { waitOutcome: 'EVENT' }],
      ['the same outcome twice', wait, end, { waitOutcome: 'EVENT' }],
      ['both outcomes beside one', wait, end],
      ['one outcome beside both', patient, a, { waitOutcome: 'EVENT' }],
      ['TIMEOUT without a timeout', patient, a, { waitOutcome: 'TIMEOUT' }],
    ];
    const before = await edit.arrows(id);
    for (const [why, from, to, more] of refused) {
      expect([why, ...refusalOf(await edit.join(id, from, to, more))]).toEqual([why, 400, 'BAD_REQUEST']);
    }
    expect(await edit.arrows(id)).toEqual(before);
    expect((await edit.join(id, wait, end, { waitOutcome: 'TIMEOUT' })).status).toBe(201);
    expect((await edit.join(id, b, end)).status).toBe(201);
  });

  it('connect steps of their own workflow and have valid fields', async () => {
    const id = await edit.workflow();
    const [trigger, other] = [await edit.trigger(id), await edit.trigger(await edit.workflow())];
    const step = await edit.add(id, delayBody({ autoConnect: false }));
    for (const [from, to] of [
      [trigger, other],
      [other, step],
      [unknown, step],
      [trigger, unknown],
    ] as const) {
      expect(refusalOf(await edit.join(id, from, to))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    }
    for (const [more, field] of [
      [{ toStepId: 'x' }, 'toStepId: invalid_string'],
      [{ fromStepId: 5 }, 'fromStepId: invalid_type'],
      [{ waitOutcome: 'NEVER' }, 'waitOutcome: invalid_enum_value'],
      [{ branch: 5 }, 'branch: invalid_type'],
      [{ branch: nul }, 'branch: custom'],
      [{ condition: 'yes' }, 'condition: invalid_type'],
      [{ condition: { branch: 5 } }, 'condition.branch: invalid_type'],
      [{ priority: 'first' }, 'priority: invalid_type'],
      [{ priority: 1.5 }, 'priority: invalid_type'],
      [{ priority: 2 ** 40 }, 'priority: too_big'],
    ] as const) {
      expect(refusalOf(await edit.join(id, trigger, step, more))).toEqual([422, 'VALIDATION_ERROR', field]);
    }
    expect(await edit.arrows(id)).toEqual([]);
  });

  it('are deleted only through their own workflow', async () => {
    const id = await edit.workflow();
    await edit.add(id, delayBody());
    const { transitions } = await edit.get(id);
    const path = `transitions/${transitions[0].id}`;
    expect(refusalOf(await send('DELETE', `/workflows/${await edit.workflow()}/${path}`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ]);
    const gone = await send('DELETE', `/workflows/${id}/${path}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(refusalOf(await send('DELETE', `/workflows/${id}/${path}`))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect((await edit.get(id)).transitions).toEqual([]);
  });
});

it.each([
  ['steps', {}],
  ['transitions', { fromStepId: unknown }],
  ['executions', { contactId: ' ' }],
])('what is missing for …/%s is told before anything else is looked at', async (part, body) => {
  for (const id of ['no-uuid', unknown]) {
    const answer = await send('POST', `/workflows/${id}/${part}`, body);
    expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String) }]);
  }
});

it('a workflow has at most 200 steps', async () => {
  const id = await edit.workflow();
  await test.services.database.prisma.workflowStep.createMany({
    data: Array.from({ length: 198 }, (_, n) => ({
      id: newId(),
      projectId: test.project.id,
      workflowId: id,
      type: 'EXIT' as const,
      name: String(n),
    })),
  });
  await edit.add(id, delayBody());
  expect(refusalOf(await send('POST', `/workflows/${id}/steps`, delayBody()))).toEqual([400, 'BAD_REQUEST']);
});

it('endlessly nested values are refused without an internal error', async () => {
  const id = await edit.workflow();
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  for (const levels of [5_000, 500_000]) {
    const body = JSON.stringify(stepBody('WEBHOOK', { url: 'https://x.test/', body: 'HERE' })).replace(
      '"HERE"',
      deep(levels),
    );
    const answer = await send('POST', `/workflows/${id}/steps`, body, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  }
});

describe('ids of another project answer like unknown ones', () => {
  it('on every path', async () => {
    const id = await edit.workflow();
    const step = await edit.add(id, delayBody());
    const { transitions } = await edit.get(id);
    await send('PATCH', `/workflows/${id}`, { enabled: true });
    const contactId = await edit.contact('mine@people.test');
    const { body: execution } = await send('POST', `/workflows/${id}/executions`, { contactId });
    const base = `/workflows/${id}`;
    const calls: [string, string, object?][] = [
      ['GET', base],
      ['PATCH', base, { name: 'Stolen' }],
      ['DELETE', base],
      ['POST', `${base}/steps`, delayBody()],
      ['PATCH', `${base}/steps/${step}`, { name: 'Stolen' }],
      ['DELETE', `${base}/steps/${step}`],
      ['POST', `${base}/transitions`, { fromStepId: step, toStepId: step }],
      ['DELETE', `${base}/transitions/${transitions[0].id}`],
      ['POST', `${base}/executions`, { contactId }],
      ['GET', `${base}/executions`],
      ['GET', `${base}/executions/${execution.id}`],
      ['DELETE', `${base}/executions/${execution.id}`],
      ['POST', `${base}/executions/cancel-all`],
    ];
    for (const [method, path, body] of calls) {
      const answer = await stranger(method, path, body);
      const lost = await stranger(method, path.replace(id, unknown), body);
      expect([path, ...refusalOf(answer)]).toEqual([path, 404, 'WORKFLOW_NOT_FOUND']);
      expect(answer.body.error.message).toBe(lost.body.error.message);
    }
    for (const [method, path, body] of calls) {
      const answer = await send(method, path.replace(id, '7-no-reference'), body);
      expect([path, ...refusalOf(answer)]).toEqual([path, 422, 'VALIDATION_ERROR', 'id: invalid_string']);
    }
    const own = editorOf(stranger);
    const theirs = await own.workflow();
    await stranger('PATCH', `/workflows/${theirs}`, { enabled: true });
    expect(refusalOf(await stranger('POST', `/workflows/${theirs}/executions`, { contactId }))).toEqual([
      404,
      'CONTACT_NOT_FOUND',
    ]);
    expect(refusalOf(await stranger('GET', `/workflows/${theirs}/executions/${execution.id}`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ]);
    expect(
      refusalOf(
        await stranger('POST', `/workflows/${theirs}/transitions`, {
          fromStepId: await own.trigger(theirs),
          toStepId: step,
        }),
      ),
    ).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect((await edit.get(id)).name).toBe('Flow');
  });
});
