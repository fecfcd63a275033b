import { newId } from '@postrider/core/base/lib';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** The promises of B2.2, B2.3, B3.1, B4.6, B4.7 and B4.20 about templates, campaigns and emails, sentence by sentence, over HTTP. */
let test: TestApp;
let send: Send;
let other: TestProject;
let sendOther: Send;

const from = 'hello@mail.example.com';
const unverified = 'hello@unverified.example.com';
const letter = { subject: 'Hello', body: '<p>Hello</p>', from };
const template = { ...letter, name: 'Template' };
const campaign = { ...letter, name: 'Campaign', audienceType: 'ALL' };
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const later = () => new Date(Date.now() + 3_600_000).toISOString();

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'mail.example.com');
  send = test.withKey(test.project.secretKey);
  other = await createTestProject(test.services);
  await verifiedDomain(test.services, other.id, 'other.example.com');
  sendOther = test.withKey(other.secretKey);
});
afterAll(() => test.close());

/** A new project, for tests that count all records of a project. */
async function ownProject(domain: string): Promise<Send> {
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, domain);
  return test.withKey(project.secretKey);
}

const errorsOf = ({ status, body }: Answer) => [
  status,
  ...(body.error?.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];
const refused = (answer: Answer) => [answer.status, codeOf(answer)];

const templateRecord = {
  id: expect.any(String),
  ...template,
  exemptFromLimits: false,
  description: null,
  alias: null,
  fromName: null,
  replyTo: null,
  preheader: null,
  text: null,
  type: 'MARKETING',
  topic: null,
  projectId: expect.any(String),
  createdAt: date,
  updatedAt: date,
};

/** Invalid fields that templates and campaigns share. */
const wrongParts: [object, string][] = [
  [{ name: 5 }, 'name invalid_type'],
  [{ subject: 5 }, 'subject invalid_type'],
  [{ subject: 'a\nb' }, 'subject custom'],
  [{ subject: 'a\rb' }, 'subject custom'],
  [{ body: {} }, 'body invalid_type'],
  [{ from: 'nobody' }, 'from invalid_string'],
  [{ from: { name: 'Shop' } }, 'from.email required'],
  [{ from: 5 }, 'from invalid_type'],
  [{ replyTo: 'nobody' }, 'replyTo invalid_string'],
  [{ fromName: 'x'.repeat(101) }, 'fromName too_big'],
  [{ description: 'x'.repeat(501) }, 'description too_big'],
  [{ type: 'BULK' }, 'type invalid_enum_value'],
  [{ subject: '{{ a' }, 'subject template_syntax'],
  [{ body: '{% render "x" %}' }, 'body template_syntax'],
];

describe('POST /templates', () => {
  it('answers 201 with the whole record', async () => {
    const { status, body } = await send('POST', '/templates', {
      ...template,
      name: ' Template ',
    });
    expect([status, body]).toEqual([201, templateRecord]);
    const all = {
      ...template,
      description: 'note',
      fromName: 'Ada',
      replyTo: 'Reply@Any.example',
      type: 'HEADLESS',
      from: from.toUpperCase(),
    };
    const full = await send('POST', '/templates', all);
    expect(full.body).toEqual({ ...templateRecord, ...all, from, replyTo: 'reply@any.example' });
    expect((await send('GET', `/templates/${full.body.id}`)).body).toEqual(full.body);
  });

  it.each(
    ['name', 'subject', 'body', 'from'].flatMap((name) =>
      [undefined, null, '', ' \n'].map((value) => [name, value] as const),
    ),
  )('flat 400 when %s is %j', async (name, value) => {
    const { status, body } = await send('POST', '/templates', { ...template, type: 'X', [name]: value });
    expect([status, body]).toEqual([400, { error: expect.stringContaining(name) }]);
  });

  it.each([...wrongParts, [{ name: 'x'.repeat(101) }, 'name too_big'] as [object, string]])(
    '422: %j',
    async (part, error) => {
      expect(errorsOf(await send('POST', '/templates', { ...template, ...part }))).toEqual([422, error]);
    },
  );

  it.each([unverified, 'hello@sub.mail.example.com', 'hello@other.example.com'])(
    '403 for %s, with the code of the specification and the domain in the message',
    async (address) => {
      const answer = await send('POST', '/templates', { ...template, from: address });
      expect(refused(answer)).toEqual([403, 'INTERNAL_SERVER_ERROR']);
      expect(answer.body.error.message).toContain(address.split('@')[1]);
    },
  );
});

describe('PATCH /templates/:id', () => {
  it('changes the given fields, clears nullable ones, and refuses invalid values', async () => {
    const all = { ...template, description: 'note', fromName: 'Ada', replyTo: from, type: 'HEADLESS' };
    const { body } = await send('POST', '/templates', all);
    const path = `/templates/${body.id}`;
    const cleared = await send('PATCH', path, { description: null, fromName: null, replyTo: null });
    expect(cleared.body).toEqual({
      ...body,
      description: null,
      fromName: null,
      replyTo: null,
      updatedAt: date,
    });
    const kept = await send('PATCH', path, { name: null, subject: null, body: null, from: null, type: null });
    expect(kept.body).toMatchObject({ name: 'Template', subject: 'Hello', from, type: 'HEADLESS' });
    for (const [part, error] of wrongParts)
      expect(errorsOf(await send('PATCH', path, part))).toEqual([422, error]);
    expect(refused(await send('PATCH', path, { from: unverified }))).toEqual([403, 'INTERNAL_SERVER_ERROR']);
    expect((await send('GET', path)).body).toMatchObject({
      ...template,
      type: 'HEADLESS',
      description: null,
    });
  });
});

describe('GET /templates', () => {
  let own: Send;
  const names = async (query: string): Promise<string[]> =>
    (await own('GET', `/templates?${query}`)).body.data.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    own = await ownProject('list.example.com');
    for (const part of [
      { name: 'Beta', description: 'A Note', type: 'TRANSACTIONAL' },
      { name: 'alpha', subject: '100% off' },
      { name: 'Gamma', type: 'HEADLESS' },
    ])
      await own('POST', '/templates', { ...template, from: 'a@list.example.com', ...part });
    const [{ id }] = (await own('GET', '/templates?search=beta')).body.data;
    await own('PATCH', `/templates/${id}`, { body: 'new' });
  });

  it.each([
    ['', ['Gamma', 'alpha', 'Beta']],
    ['dir=asc', ['Beta', 'alpha', 'Gamma']],
    ['sort=updatedAt', ['Beta', 'Gamma', 'alpha']],
    ['sort=size&dir=down', ['Gamma', 'alpha', 'Beta']],
    ['type=HEADLESS', ['Gamma']],
    ['search=ALPH', ['alpha']],
    ['search=note', ['Beta']],
    ['search=100%25', ['alpha']],
    ['search=hello&dir=asc', ['Beta', 'Gamma']],
    ['pageSize=2', ['Gamma', 'alpha']],
    ['pageSize=2&page=2', ['Beta']],
    ['page=3', []],
  ])('?%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('counts pages', async () => {
    expect((await own('GET', '/templates?pageSize=2&page=7')).body).toEqual({
      data: [],
      page: 7,
      pageSize: 2,
      total: 3,
      totalPages: 2,
    });
    expect((await own('GET', '/templates?search=nothing')).body).toMatchObject({ total: 0, totalPages: 0 });
    expect((await own('GET', '/templates?page=0&pageSize=1000')).body).toMatchObject({
      page: 1,
      pageSize: 100,
    });
    expect((await own('GET', '/templates?page=x&pageSize=1.5')).body).toMatchObject({
      page: 1,
      pageSize: 20,
    });
    expect(refused(await own('GET', '/templates?type=marketing'))).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('the use of a template', () => {
  it('lists campaigns and steps; a step prevents its deletion, a campaign loses the reference', async () => {
    const { id } = (await send('POST', '/templates', { ...template, name: 'x'.repeat(100) })).body;
    const path = `/templates/${id}`;
    const copy = (await send('POST', `${path}/duplicate`)).body;
    expect(copy.name).toBe(`${'x'.repeat(93)} (Copy)`);
    const made = (await send('POST', '/campaigns', { ...campaign, templateId: id })).body.data;
    expect(made.templateId).toBe(id);
    const workflow = (await send('POST', '/workflows', { name: 'W', eventName: 'signup' })).body;
    const step = (
      await send('POST', `/workflows/${workflow.id}/steps`, {
        type: 'SEND_EMAIL',
        name: 'Send it',
        position: { x: 0, y: 0 },
        config: {},
        templateId: id,
      })
    ).body;
    expect((await send('GET', `${path}/usage`)).body).toEqual({
      campaigns: [{ id: made.id, name: 'Campaign', status: 'DRAFT' }],
      workflowSteps: [{ workflowId: workflow.id, workflowName: 'W', stepId: step.id, stepName: 'Send it' }],
      emailsSent: 0,
      canDelete: false,
    });
    expect(refused(await send('DELETE', path))).toEqual([409, 'CONFLICT']);
    expect((await send('DELETE', `/workflows/${workflow.id}`)).status).toBe(204);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', `/campaigns/${made.id}`)).body.templateId).toBe(null);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/duplicate'],
    ['GET', '/usage'],
  ])(
    '%s /templates/:id%s: 404 for an unknown one and for another project, 422 for no id',
    async (method, path) => {
      const foreign = await sendOther('POST', '/templates', { ...template, from: 'a@other.example.com' });
      const input = method === 'GET' ? undefined : {};
      for (const id of [newId(), foreign.body.id])
        expect(refused(await send(method, `/templates/${id}${path}`, input))).toEqual([
          404,
          'TEMPLATE_NOT_FOUND',
        ]);
      expect(errorsOf(await send(method, `/templates/X${path}`, input))).toEqual([422, 'id invalid_string']);
    },
  );
});

const counters = {
  sentCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
  complainedCount: 0,
  unsubscribedCount: 0,
  failedCount: 0,
  skippedCount: 0,
  uncertainCount: 0,
  acceptedCount: 0,
  refusedCount: 0,
  heldOutCount: 0,
  deliveryReported: false,
};
const campaignRecord = {
  ...campaign,
  ...counters,
  exemptFromLimits: false,
  id: expect.any(String),
  projectId: expect.any(String),
  description: null,
  fromName: null,
  replyTo: null,
  preheader: null,
  text: null,
  type: 'MARKETING',
  familyId: expect.any(String),
  round: 1,
  topic: null,
  status: 'DRAFT',
  statusReason: null,
  pausedAt: null,
  pauseReason: null,
  guard: true,
  pace: null,
  test: null,
  holdout: 0,
  localTime: null,
  approval: null,
  utm: null,
  goalId: null,
  convertedCount: null,
  convertedValue: null,
  audienceCondition: null,
  segmentId: null,
  templateId: null,
  scheduledFor: null,
  waitsFor: null,
  totalRecipients: expect.any(Number),
  sentAt: null,
  createdAt: date,
  updatedAt: date,
};
const created = async (part: object = {}): Promise<{ id: string; totalRecipients: number }> => {
  const { status, body } = await send('POST', '/campaigns', { ...campaign, ...part });
  expect(status).toBe(201);
  return body.data;
};
const all = { logic: 'AND', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }] };

describe('POST and PUT /campaigns', () => {
  it('answer with the whole record; fields that the audience does not need are null', async () => {
    const segmentId = newId();
    const made = await send('POST', '/campaigns', {
      ...campaign,
      segmentId,
      audienceCondition: all,
      templateId: null,
    });
    expect([made.status, made.body]).toEqual([201, { success: true, data: campaignRecord }]);
    expect((await send('GET', `/campaigns/${made.body.data.id}`)).body).toEqual(made.body.data);
    const full = {
      ...campaign,
      name: 'x'.repeat(200),
      description: 'note',
      fromName: 'Ada',
      replyTo: 'r@any.example',
      type: 'TRANSACTIONAL',
      audienceType: 'FILTERED',
      audienceCondition: all,
    };
    const path = `/campaigns/${made.body.data.id}`;
    const put = await send('PUT', path, full);
    expect([put.status, put.body]).toEqual([200, { ...campaignRecord, ...full }]);
    const back = await send('PUT', path, campaign);
    expect(back.body).toEqual(campaignRecord);
  });

  it.each<[object, ...string[]]>([
    ...wrongParts,
    [{ name: 'x'.repeat(201) }, 'name too_big'],
    ...['name', 'subject', 'body', 'from', 'audienceType'].flatMap((name): [object, string][] =>
      [undefined, null, ''].map((value) => [{ [name]: value }, `${name} required`]),
    ),
    [{ name: ' ', subject: '\t', body: ' ' }, 'name required', 'subject required', 'body required'],
    [{ audienceType: 'SOME' }, 'audienceType invalid_enum_value'],
    [{ audienceType: 'SEGMENT' }, 'segmentId required'],
    [{ audienceType: 'SEGMENT', segmentId: null, audienceCondition: all }, 'segmentId required'],
    [{ audienceType: 'SEGMENT', segmentId: 'x' }, 'segmentId invalid_string'],
    [{ audienceType: 'FILTERED' }, 'audienceCondition required'],
    [{ audienceType: 'FILTERED', audienceCondition: null, segmentId: newId() }, 'audienceCondition required'],
    [{ audienceType: 'FILTERED', audienceCondition: 'x' }, 'audienceCondition invalid_type'],
    [{ audienceType: 'FILTERED', name: null }, 'name required', 'audienceCondition required'],
    [{ templateId: 'x' }, 'templateId invalid_string'],
  ])('422: %j', async (part, ...errors) => {
    const { id } = await created();
    const expected = [422, ...errors];
    expect(errorsOf(await send('POST', '/campaigns', { ...campaign, ...part }))).toEqual(expected);
    expect(errorsOf(await send('PUT', `/campaigns/${id}`, { ...campaign, ...part }))).toEqual(expected);
  });

  it('404 and 403 for records that are unknown, of another project, or not verified', async () => {
    const { id } = await created();
    const foreign = {
      segment: (await sendOther('POST', '/segments', { name: 'S', type: 'STATIC' })).body.id,
      template: (await sendOther('POST', '/templates', { ...template, from: 'a@other.example.com' })).body.id,
    };
    for (const [part, status, code] of [
      [{ templateId: newId() }, 404, 'TEMPLATE_NOT_FOUND'],
      [{ templateId: foreign.template }, 404, 'TEMPLATE_NOT_FOUND'],
      [{ audienceType: 'SEGMENT', segmentId: newId() }, 404, 'SEGMENT_NOT_FOUND'],
      [{ audienceType: 'SEGMENT', segmentId: foreign.segment }, 404, 'SEGMENT_NOT_FOUND'],
      [{ from: unverified }, 403, 'INTERNAL_SERVER_ERROR'],
      [{ from: 'a@other.example.com' }, 403, 'INTERNAL_SERVER_ERROR'],
    ] as const) {
      expect(refused(await send('POST', '/campaigns', { ...campaign, ...part }))).toEqual([status, code]);
      expect(refused(await send('PUT', `/campaigns/${id}`, { ...campaign, ...part }))).toEqual([
        status,
        code,
      ]);
    }
  });
});

describe('ids of campaigns', () => {
  it.each<[string, string, object?]>([
    ['GET', ''],
    ['PUT', '', campaign],
    ['DELETE', ''],
    ['POST', '/duplicate'],
    ['POST', '/send'],
    ['POST', '/cancel'],
    ['POST', '/test', { email: 'a@a.test' }],
    ['GET', '/stats'],
    ['GET', '/audience'],
    ['GET', '/recipients'],
    ['POST', '/retry', { statuses: ['FAILED'] }],
  ])('%s /campaigns/:id%s: 404 and 422', async (method, path, input) => {
    const foreign = await sendOther('POST', '/campaigns', { ...campaign, from: 'a@other.example.com' });
    for (const id of [newId(), foreign.body.data.id])
      expect(refused(await send(method, `/campaigns/${id}${path}`, input))).toEqual([
        404,
        'CAMPAIGN_NOT_FOUND',
      ]);
    expect(errorsOf(await send(method, `/campaigns/x${path}`, input))).toEqual([422, 'id invalid_string']);
  });
});

describe('the life of a campaign', () => {
  let own: Send;
  const mine = { ...campaign, from: 'a@life.example.com' };
  beforeAll(async () => {
    own = await ownProject('life.example.com');
  });
  const make = async (part: object = {}): Promise<string> =>
    (await own('POST', '/campaigns', { ...mine, ...part })).body.data.id;
  const stateOf = async (id: string) => (await own('GET', `/campaigns/${id}`)).body;

  it('cannot start without recipients, and MARKETING is sent to subscribed contacts only', async () => {
    const [marketing, transactional] = [await make(), await make({ type: 'TRANSACTIONAL' })];
    expect(refused(await own('POST', `/campaigns/${marketing}/send`))).toEqual([400, 'BAD_REQUEST']);
    await own('POST', '/contacts', { email: 'off@life.test', subscribed: false });
    expect(refused(await own('POST', `/campaigns/${marketing}/send`, {}))).toEqual([400, 'BAD_REQUEST']);
    expect((await own('GET', `/campaigns/${marketing}/audience`)).body).toEqual({
      matched: 1,
      willSend: 0,
      ...{ included: null, excluded: null },
      skipped: { unsubscribed: 1, topic: 0, suppressed: 0, invalid: 0 },
      notSubscribed: { unsubscribed: 1, never: 0, pending: 0, snoozed: 0 },
    });
    expect((await own('GET', `/campaigns/${transactional}/audience`)).body).toEqual({
      matched: 1,
      willSend: 1,
      ...{ included: null, excluded: null },
      skipped: { unsubscribed: 0, topic: 0, suppressed: 0, invalid: 0 },
      notSubscribed: { unsubscribed: 0, never: 0, pending: 0, snoozed: 0 },
    });
    expect((await stateOf(marketing)).status).toBe('DRAFT');
    await own('POST', '/contacts', { email: 'on@life.test' });
    expect((await own('PUT', `/campaigns/${marketing}`, mine)).body.totalRecipients).toBe(1);
    expect((await own('POST', `/campaigns/${transactional}/duplicate`)).body.totalRecipients).toBe(2);
  });

  // This api has no workflow engine, of which it knows once it has been asked.
  const waitsFor = 'engine';

  it('is scheduled, rescheduled, changed, and cancelled permanently', async () => {
    const id = await make({ description: 'note' });
    const path = `/campaigns/${id}`;
    expect(refused(await own('POST', `${path}/cancel`))).toEqual([409, 'CONFLICT']);
    for (const scheduledFor of [
      later(),
      Date.now() + 7_200_000,
      '2099-01-01',
      '2099-01-01 10:30',
      'Jan 1, 2099 UTC',
      'Thu, 01 Jan 2099 09:00:00 GMT',
    ]) {
      const { status, body } = await own('POST', `${path}/send`, { scheduledFor });
      const at = body.data.scheduledFor;
      expect([status, body]).toEqual([
        200,
        {
          success: true,
          data: { id, name: 'Campaign', status: 'SCHEDULED', scheduledFor: date, localTime: null, waitsFor },
          message: `Campaign scheduled for ${at}`,
        },
      ]);
      if (typeof scheduledFor === 'number') expect(Date.parse(at)).toBe(scheduledFor);
      if (scheduledFor === '2099-01-01 10:30') expect(at).toBe('2099-01-01T10:30:00.000Z');
      if (scheduledFor === '2099-01-01') expect(at).toBe('2099-01-01T00:00:00.000Z');
    }
    const scheduledFor = (await stateOf(id)).scheduledFor;
    const changed = await own('PUT', path, { ...mine, name: 'Changed' });
    expect(changed.body).toMatchObject({ status: 'SCHEDULED', scheduledFor, description: null });
    expect(refused(await own('DELETE', path))).toEqual([409, 'CONFLICT']);
    const past = { scheduledFor: new Date(Date.now() - 1_000).toISOString() };
    expect(refused(await own('POST', `${path}/send`, past))).toEqual([400, 'BAD_REQUEST']);
    const cancelled = await own('POST', `${path}/cancel`);
    expect([cancelled.status, cancelled.body]).toMatchObject([
      200,
      { id, status: 'CANCELLED', statusReason: null, scheduledFor },
    ]);
    for (const [method, action, input] of [
      ['POST', '/send', {}],
      ['POST', '/send', past],
      ['POST', '/cancel', {}],
      ['PUT', '', mine],
      ['POST', '/retry', { statuses: ['FAILED'] }],
    ] as const) {
      const answer = await own(method, `${path}${action}`, input);
      expect(refused(answer)).toEqual([409, 'CONFLICT']);
      expect(answer.body.error.message).toContain('CANCELLED');
    }
    const copy = await own('POST', `${path}/duplicate`);
    expect(copy.body).toMatchObject({
      name: 'Changed (Copy)',
      status: 'DRAFT',
      statusReason: null,
      scheduledFor: null,
      sentAt: null,
      ...counters,
    });
    expect((await own('DELETE', path)).status).toBe(204);
  });

  it('starts immediately without a date; one of two simultaneous starts is refused', async () => {
    const id = await make();
    const path = `/campaigns/${id}`;
    await own('POST', `${path}/send`, { scheduledFor: later() });
    const answers = await Promise.all([
      own('POST', `${path}/send`, { scheduledFor: null }),
      own('POST', `${path}/send`),
    ]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect([won?.status, won?.body]).toEqual([
      200,
      {
        success: true,
        data: { id, name: 'Campaign', status: 'SENDING', scheduledFor: null, localTime: null, waitsFor },
        message: 'Campaign is being sent',
      },
    ]);
    expect([lost?.status, lost?.body.error.code]).toEqual([409, 'CONFLICT']);
    expect(await stateOf(id)).toMatchObject({ status: 'SENDING', sentAt: date, scheduledFor: null });
    for (const [method, action] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/send'],
    ] as const) {
      const answer = await own(method, `${path}${action}`, method === 'PUT' ? mine : undefined);
      expect([...refused(answer), answer.body.error.message]).toEqual([
        409,
        'CONFLICT',
        expect.stringContaining('SENDING'),
      ]);
    }
    expect((await own('POST', `${path}/cancel`)).body.status).toBe('CANCELLED');
  });

  it('has only zeros as statistics before its start', async () => {
    const id = await make();
    const { totalRecipients } = await stateOf(id);
    expect((await own('GET', `/campaigns/${id}/stats`)).body).toEqual({
      totalRecipients,
      ...counters,
      pendingCount: 0,
      held: { cap: 0, quietHours: 0 },
      audienceComplete: false,
      waves: [],
      skippedReasons: {},
      openRate: 0,
      clickRate: 0,
      clickToOpenRate: 0,
      bounceRate: 0,
      acceptRate: 0,
      deliveryRate: 0,
      complaintRate: 0,
      unsubscribeRate: 0,
      convertedCount: null,
      convertedValue: null,
      conversionRate: null,
      test: null,
    });
  });

  it('counts suppressed contacts, and needs its verified domain at the start', async () => {
    const id = await make();
    const project = (await stateOf(id)).projectId;
    const { prisma } = test.services.database;
    await own('POST', '/contacts', { email: 'bounced@life.test' });
    await prisma.suppression.create({
      data: { projectId: project, email: 'bounced@life.test', reason: 'BOUNCE' },
    });
    const { matched, willSend, skipped } = (await own('GET', `/campaigns/${id}/audience`)).body;
    expect(skipped).toMatchObject({ suppressed: 1, invalid: 0 });
    expect(matched).toBe(willSend + skipped.unsubscribed + skipped.suppressed);
    await prisma.domain.updateMany({ where: { projectId: project }, data: { status: 'PENDING' } });
    const scheduledFor = later();
    for (const input of [{}, { scheduledFor }]) {
      const answer = await own('POST', `/campaigns/${id}/send`, input);
      expect([...refused(answer), answer.body.error.message]).toEqual([
        403,
        'INTERNAL_SERVER_ERROR',
        expect.stringContaining('life.example.com'),
      ]);
    }
    await prisma.domain.updateMany({ where: { projectId: project }, data: { status: 'VERIFIED' } });
  });

  it.each([
    [{}, 'statuses required'],
    [{ statuses: null }, 'statuses required'],
    [{ statuses: 'FAILED' }, 'statuses invalid_type'],
    [{ statuses: [] }, 'statuses too_small'],
    [{ statuses: ['SENT'] }, 'statuses.0 invalid_enum_value'],
  ])('is not retried by %j', async (input, error) => {
    expect(errorsOf(await own('POST', `/campaigns/${await make()}/retry`, input))).toEqual([422, error]);
  });

  it.each([
    [{}, 422, 'VALIDATION_ERROR'],
    [{ email: 'nobody' }, 422, 'VALIDATION_ERROR'],
    [{ email: 'stranger@life.test' }, 403, 'FORBIDDEN'],
  ])('is not tested on %j', async (input, status, code) => {
    expect(refused(await own('POST', `/campaigns/${await make()}/test`, input))).toEqual([status, code]);
  });
});

describe('GET /campaigns', () => {
  let own: Send;
  beforeAll(async () => {
    own = await ownProject('pages.example.com');
    await own('POST', '/contacts', { email: 'a@pages.test' });
    for (const part of [
      { name: 'Beta', subject: 'One_Two' },
      { name: 'alpha', from: 'NEWS@pages.example.com' },
      { name: 'Gamma' },
    ]) {
      const { body } = await own('POST', '/campaigns', { ...campaign, from: 'a@pages.example.com', ...part });
      if (part.name === 'Gamma')
        await own('POST', `/campaigns/${body.data.id}/send`, { scheduledFor: later() });
    }
  });

  it.each([
    ['', ['Gamma', 'alpha', 'Beta']],
    ['dir=asc', ['Beta', 'alpha', 'Gamma']],
    ['sort=subject', ['Gamma', 'alpha', 'Beta']],
    ['status=SCHEDULED', ['Gamma']],
    ['status=DRAFT&dir=asc', ['Beta', 'alpha']],
    ['search=e_t', ['Beta']],
    ['search=GAMM', ['Gamma']],
    ['search=news%40', ['alpha']],
    ['pageSize=2&page=2', ['Beta']],
  ])('?%s', async (query, expected) => {
    const { body } = await own('GET', `/campaigns?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(expected);
    expect(Object.keys(body).toSorted()).toEqual(['data', 'page', 'pageSize', 'total', 'totalPages']);
  });

  it('refuses an unknown status', async () => {
    expect(refused(await own('GET', '/campaigns?status=draft'))).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('emails', () => {
  let own: Send;
  let ids: string[];
  beforeAll(async () => {
    own = await ownProject('emails.example.com');
    const { body } = await own('POST', '/v1/send', {
      to: ['ada@emails.test', { email: 'bob@emails.test', name: 'Bob' }],
      subject: 'For {{name ?? you}}',
      body: '<p>Hi {{name ?? you}} <a href="https://example.com/">x</a></p>',
      from: { email: 'a@emails.example.com', name: 'Shop' },
    });
    ids = body.data.emails.map(({ email }: { email: string }) => email);
  });

  it('are listed, the newest first, in exactly this shape', async () => {
    const { status, body } = await own('GET', '/emails');
    expect([status, { ...body, data: body.data.length }]).toEqual([
      200,
      { data: 2, cursor: null, hasMore: false, total: 2 },
    ]);
    const bob = body.data.find(({ to }: { to: string }) => to === 'bob@emails.test');
    const record = {
      id: ids[1],
      projectId: expect.any(String),
      contactId: expect.any(String),
      to: 'bob@emails.test',
      toName: 'Bob',
      from: 'a@emails.example.com',
      fromName: 'Shop',
      replyTo: null,
      subject: 'For Bob',
      type: 'TRANSACTIONAL',
      sourceType: 'TRANSACTIONAL',
      templateId: null,
      campaignId: null,
      workflowExecutionId: null,
      workflowStepExecutionId: null,
      tags: [],
      metadata: {},
      status: 'PENDING',
      reason: null,
      error: null,
      messageId: expect.anything(),
      attempts: 0,
      nextAttemptAt: date,
      opens: 0,
      clicks: 0,
      sentAt: null,
      deliveredAt: null,
      openedAt: null,
      clickedAt: null,
      bouncedAt: null,
      complainedAt: null,
      createdAt: date,
      updatedAt: date,
    };
    expect({ ...bob, messageId: '' }).toMatchObject({ ...record, messageId: '' });
    const { body: detail } = await own('GET', `/emails/${ids[1]}`);
    // What a list leaves out: the other email of the project is before it.
    const wait = { heldBy: 'queue', estimatedSendAt: expect.any(String) };
    expect(detail).toMatchObject({ ...bob, ...wait, interactions: [] });
  });

  it.each([
    ['status=PENDING', 2],
    ['status=SENT', 0],
    ['sourceType=TRANSACTIONAL', 2],
    ['sourceType=TEST', 0],
    [`campaignId=${newId()}`, 0],
    [`contactId=${newId()}`, 0],
    ['from=2020-01-01', 2],
    ['to=2020-01-01', 0],
    ['limit=1', 2],
  ])('?%s', async (query, total) => {
    expect((await own('GET', `/emails?${query}`)).body.total).toBe(total);
  });

  it.each([
    ['status=pending', 400],
    ['sourceType=X', 400],
    ['cursor=x', 400],
    ['contactId=x', 422],
    ['campaignId=x', 422],
    ['from=x', 422],
  ])('?%s is refused', async (query, status) => {
    expect((await own('GET', `/emails?${query}`)).status).toBe(status);
  });

  it('are previewed as rendered, without tracking', async () => {
    const { status, body } = await own('GET', `/emails/${ids[0]}/preview`);
    expect([status, Object.keys(body).toSorted()]).toEqual([200, ['html', 'subject', 'text']]);
    expect(body.subject).toBe('For you');
    expect(body.html).toContain('<p>Hi you <a href="https://example.com/">x</a></p>');
    expect(body.text).toContain('x (https://example.com/)');
    expect(body.html).not.toContain('/t/');
  });

  it('of another project are unknown', async () => {
    for (const id of [newId(), ids[0]]) {
      for (const path of ['', '/preview'])
        expect(refused(await sendOther('GET', `/emails/${id}${path}`))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    }
    expect(errorsOf(await own('GET', '/emails/x'))).toEqual([422, 'id invalid_string']);
  });
});
