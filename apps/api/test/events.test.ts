import { newId } from '@postrider/core/base/lib';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';
import { editorOf, refusalOf, stepBody } from './workflow-kit.ts';

/** Events through REST: tracked, recorded, listed, counted and deleted (behaviour B2.9, B4.3, B4.10, B6.1, B8.3, B8.4). */
let test: TestApp;
let project: TestProject;
let send: Send;
let track: Send;
let stranger: Send;

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const unknown = newId();
const dayMs = 86_400_000;

beforeAll(async () => {
  test = await startApp();
  stranger = test.withKey((await createTestProject(test.services)).secretKey);
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  send = test.withKey(project.secretKey);
  track = test.withKey(project.publicKey);
});

const contact = async (email: string): Promise<string> =>
  (await send('POST', '/contacts', { email })).body.id;
const named = (name: string, more: object = {}) => send('POST', '/events/track', { name, ...more });
const pathOf = (name: string) => `/events/${encodeURIComponent(name)}`;

describe('POST /v1/track', () => {
  it('returns ids and time, creates the contact as subscribed, and stores the data of the event', async () => {
    const answer = await track('POST', '/v1/track', {
      email: ' Ada@People.Test ',
      event: ' bought ',
      data: {
        plan: 'pro',
        gone: null,
        empty: '',
        once: { value: [1, { a: 2 }], persistent: false },
        kept: { value: 5, persistent: true },
        list: ['x'],
        id: 'dropped',
        email: 'dropped',
        manageUrl: 'dropped',
      },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, data: { contact: uuid, event: uuid, timestamp: date } },
    ]);
    const { contact: contactId, event, timestamp } = answer.body.data;
    expect((await send('GET', `/contacts/${contactId}`)).body).toMatchObject({
      email: 'ada@people.test',
      subscribed: true,
      data: { plan: 'pro', kept: 5 },
    });
    const { events } = (await send('GET', '/events')).body;
    expect(events).toEqual([
      {
        id: event,
        name: 'bought',
        data: { plan: 'pro', gone: null, empty: '', once: [1, { a: 2 }], kept: 5, list: ['x'] },
        projectId: project.id,
        contactId,
        emailId: null,
        createdAt: timestamp,
        contact: { id: contactId, email: 'ada@people.test' },
      },
    ]);
  });

  it.each([
    ['en_US', 'en-US'],
    ['b+sr+Latn', 'b+sr+Latn'],
    ['POSIX', 'POSIX'],
    [1031, 1031],
  ])(
    'no event is lost by the locale %j of a contact; its data keeps what was reported',
    async (given, kept) => {
      const body = { email: 'lea@people.test', event: 'signed_up', data: { locale: given } };
      const answer = await track('POST', '/v1/track', body);
      expect(answer.status).toBe(200);
      const contact = await send('GET', `/contacts/${answer.body.data.contact}`);
      expect(contact.body.data).toEqual({ locale: kept });
      expect((await send('GET', '/events')).body.events).toMatchObject([{ data: { locale: given } }]);
    },
  );

  it('keeps the subscription of a contact unless one is given; a change emits its own event', async () => {
    const email = 'bob@people.test';
    await send('POST', '/contacts', { email, subscribed: false });
    const subscribed = async (more: object) => {
      const { body } = await track('POST', '/v1/track', { email, event: 'x', ...more });
      return (await send('GET', `/contacts/${body.data.contact}`)).body.subscribed;
    };
    expect(await subscribed({})).toBe(false);
    expect(await subscribed({ subscribed: null })).toBe(false);
    expect(await subscribed({ subscribed: true })).toBe(true);
    expect(await subscribed({ subscribed: true })).toBe(true);
    expect(await subscribed({ subscribed: false })).toBe(false);
    const { body } = await send('GET', '/events/stats');
    expect(body).toEqual([
      { name: 'x', count: 5 },
      { name: 'contact.subscribed', count: 1 },
      { name: 'contact.unsubscribed', count: 1 },
    ]);
    const flips = (await send('GET', '/events?eventName=contact.subscribed')).body.events;
    expect(flips).toMatchObject([{ data: { reason: 'api' }, contact: { email } }]);
  });

  const long = (length: number) => 'x'.repeat(length);
  it.each<[object, ...string[]]>([
    [{ email: undefined }, 'email: required'],
    [{ email: null, event: ' ' }, 'email: required', 'event: required'],
    [{ email: 'nobody' }, 'email: invalid_string'],
    [{ email: 5 }, 'email: invalid_type'],
    [{ email: `${long(250)}@a.test` }, 'email: invalid_string'],
    [{ event: long(256) }, 'event: too_big'],
    [{ event: 'a\tb' }, 'event: invalid_string'],
    [{ event: 'a\u0000b' }, 'event: custom'],
    [{ event: ['x'] }, 'event: invalid_type'],
    [{ subscribed: 'yes' }, 'subscribed: invalid_type'],
    [{ data: 'x' }, 'data: invalid_type'],
    [{ data: [] }, 'data: invalid_type'],
    [{ data: { a: { b: ['\u0000'] } } }, 'data.a.b.0: custom'],
    [{ data: { [long(101)]: 1 } }, `data.${long(101)}: custom`],
    [{ data: { 'a\nb': 1 } }, 'data.a\nb: custom'],
    [{ data: { a: long(65_536) } }, 'data: too_big'],
    [{ data: { a: { value: long(65_536), persistent: false } } }, 'data: too_big'],
    [{ data: { a: { value: [1], persistent: true } } }, 'data.a: invalid_type'],
  ])('422 for %j', async (body, ...fields) => {
    const answer = await track('POST', '/v1/track', { email: 'cat@people.test', event: 'x', ...body });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(
      answer.body.error.errors.map(({ field, code }: { field: string; code: string }) => `${field}: ${code}`),
    ).toEqual(fields);
    expect((await send('GET', '/contacts')).body.total).toBe(0);
    expect((await send('GET', '/events')).body.events).toEqual([]);
  });

  it('limits a contact’s data as a whole: a request that exceeds the limit stores nothing', async () => {
    const email = 'dan@people.test';
    const half = 'x'.repeat(40_000);
    expect((await track('POST', '/v1/track', { email, event: 'x', data: { a: half } })).status).toBe(200);
    const answer = await track('POST', '/v1/track', { email, event: 'x', data: { b: half } });
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR', 'data: too_big']);
    expect((await send('GET', '/events')).body.events).toHaveLength(1);
  });
});

const reserved = [
  'email.sent',
  'email.received',
  'email.',
  'email.anything.at.all',
  'contact.subscribed',
  'contact.unsubscribed',
  'segment.vip.entry',
  'segment.vip.exit',
  'segment.a.b.entry',
  'segment..exit',
];

describe('reserved names', () => {
  const refusal = (field: string, received: string) => ({
    success: false,
    error: expect.objectContaining({
      code: 'VALIDATION_ERROR',
      statusCode: 422,
      message: 'Cannot track reserved system event',
      errors: [{ field, code: 'reserved_event', message: 'Cannot track reserved system event', received }],
    }),
    timestamp: date,
  });

  it.each(reserved)('%s is refused in every form and cannot be deleted', async (name) => {
    const body = { email: 'eve@people.test', event: name };
    for (const answer of [
      await track('POST', '/v1/track', body),
      await send('POST', '/events/track', body),
    ]) {
      expect([answer.status, answer.body]).toEqual([422, refusal('event', name)]);
    }
    const answer = await named(name);
    expect([answer.status, answer.body]).toEqual([422, refusal('name', name)]);
    expect((await send('GET', '/contacts')).body.total).toBe(0);
    expect(refusalOf(await send('DELETE', pathOf(name)))).toEqual([400, 'BAD_REQUEST']);
    expect((await send('GET', `${pathOf(name)}/usage`)).body.canDelete).toBe(false);
  });

  it.each([
    'Email.sent',
    'email',
    'emails.sent',
    'contact.created',
    'segment.entry',
    'segment.vip',
    'Contact.subscribed',
  ])('%s is not reserved', async (name) => {
    const answer = await track('POST', '/v1/track', { email: 'eve@people.test', event: name });
    expect(answer.status).toBe(200);
    expect((await send('DELETE', pathOf(name))).body).toEqual({ deletedCount: 1 });
  });
});

describe('POST /events/track', () => {
  it('by name, with or without a contact, changes no contact', async () => {
    const contactId = await contact('fay@people.test');
    const before = (await send('GET', `/contacts/${contactId}`)).body;
    const data = {
      plan: 'pro',
      n: null,
      once: { value: 1, persistent: false },
      svc_id: 'x',
      subscribeUrl: 'x',
    };
    const made = await named(' left ', { contactId, data });
    const event = {
      id: uuid,
      name: 'left',
      data: { plan: 'pro', n: null, once: 1 },
      projectId: project.id,
      contactId,
      emailId: null,
      createdAt: date,
    };
    expect([made.status, made.body]).toEqual([201, event]);
    const lone = await named('left', { contactId: null, data: null });
    expect([lone.status, lone.body]).toEqual([201, { ...event, contactId: null, data: null }]);
    expect((await send('GET', `/contacts/${contactId}`)).body).toEqual(before);
    expect(
      (await send('GET', '/events')).body.events.map((each: { contact: object }) => each.contact),
    ).toEqual([null, { id: contactId, email: 'fay@people.test' }]);
  });

  it('by email and event does the same as /v1/track, and returns the Event', async () => {
    const body = {
      email: 'gus@people.test',
      event: 'bought',
      subscribed: false,
      data: { plan: 'pro' },
      name: 'other',
    };
    const made = await send('POST', '/events/track', body);
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: uuid,
        name: 'bought',
        data: { plan: 'pro' },
        projectId: project.id,
        contactId: uuid,
        emailId: null,
        createdAt: date,
      },
    ]);
    expect((await send('GET', `/contacts/${made.body.contactId}`)).body).toMatchObject({
      subscribed: false,
      data: { plan: 'pro' },
    });
  });

  it.each<[object, number, ...(string | object)[]]>([
    [{}, 400],
    [{ name: null, contactId: unknown }, 400],
    [{ name: '  ' }, 400],
    [{ event: null, email: null }, 400],
    [{ name: 5 }, 422, 'name: invalid_type'],
    [{ name: 'x'.repeat(256) }, 422, 'name: too_big'],
    [{ name: 'a\u0000' }, 422, 'name: custom'],
    [{ name: 'a\u0001' }, 422, 'name: invalid_string'],
    [{ name: 'x', contactId: 'x' }, 422, 'contactId: invalid_string'],
    [{ name: 'x', data: 'x' }, 422, 'data: invalid_type'],
    [{ name: 'x', data: { a: 'x'.repeat(65_536) } }, 422, 'data: too_big'],
    [{ event: 'x' }, 422, 'email: required'],
    [{ email: 'hal@people.test' }, 422, 'event: required'],
    [{ email: 'hal@people.test', event: 'x', data: { a: { persistent: 1 } } }, 422, 'data.a: invalid_type'],
  ])('%j: %i', async (body, status, ...field) => {
    const answer = await send('POST', '/events/track', body);
    if (status === 400) expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String) }]);
    else expect(refusalOf(answer)).toEqual([status, 'VALIDATION_ERROR', ...field]);
    expect((await send('GET', '/events')).body.events).toEqual([]);
  });

  it('of an unknown or another project’s contact is 404', async () => {
    const theirs = (await stranger('POST', '/contacts', { email: 'hal@people.test' })).body.id;
    for (const contactId of [unknown, theirs])
      expect(refusalOf(await named('x', { contactId }))).toEqual([404, 'CONTACT_NOT_FOUND']);
  });

  it('takes an Idempotency-Key with the body of /v1/track only', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { email: 'ida@people.test', event: 'x' };
    const first = (await track('POST', '/v1/track', body, headers)).body.data;
    const session = await test.withSession();
    const again = await send('POST', '/events/track', body, headers);
    expect([again.status, again.body.error.code, again.body.error.details]).toEqual([
      409,
      'IDEMPOTENCY_KEY_REUSED',
      {
        key: 'once',
        originalRequest: 'POST /v1/track',
        originalRequestAt: date,
        originalStatusCode: 200,
        originalDigest: expect.stringMatching(/^sha-256=:.{44}:$/),
        event: first.event,
        contact: first.contact,
      },
    ]);
    // The other form ignores the header, even a used or invalid key.
    for (const key of ['once', 'once', 'x'.repeat(256)]) {
      expect((await send('POST', '/events/track', { name: 'x' }, { 'idempotency-key': key })).status).toBe(
        201,
      );
      expect((await session('POST', '/events/track', { name: 'x' }, { 'idempotency-key': key })).status).toBe(
        201,
      );
    }
    const bad = await send('POST', '/events/track', body, { 'idempotency-key': 'x'.repeat(256) });
    expect(refusalOf(bad)).toEqual([400, 'BAD_REQUEST']);
    const own = { 'idempotency-key': 'own' };
    expect((await send('POST', '/events/track', body, own)).status).toBe(201);
    const fifty = await Promise.all(
      Array.from({ length: 20 }, () => track('POST', '/v1/track', body, { 'idempotency-key': 'race' })),
    );
    expect(fifty.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const last = await track('POST', '/v1/track', body, own);
    expect(last.body.error.details).toMatchObject({
      originalRequest: 'POST /events/track',
      originalStatusCode: 201,
    });
  });
});

describe('reading', () => {
  /** Events of given ages, written as rows, since these tests depend on time. */
  const past = (name: string, ages: number[], more: object = {}) =>
    test.services.database.prisma.event.createMany({
      data: ages.map((age) => ({
        id: newId(),
        projectId: project.id,
        name,
        createdAt: new Date(Date.now() - age),
        ...more,
      })),
    });

  it('lists the newest first, clamps the limit, filters by name, and hides the activity feed', async () => {
    await past(
      'old',
      Array.from({ length: 120 }, (_, n) => (n + 1) * 1_000),
    );
    await past('email.sent', [10], { kind: 'SYSTEM' });
    await past('email.skipped', [5], { kind: 'ACTIVITY' });
    const names = async (query: string) => {
      const answer = await send('GET', `/events${query}`);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['events']);
      return answer.body.events.map(({ name }: { name: string }) => name);
    };
    expect(await names('')).toEqual(['email.sent', ...Array(99).fill('old')]);
    expect(await names('?limit=2')).toEqual(['email.sent', 'old']);
    expect(await names('?limit=0')).toEqual(['email.sent']);
    expect(await names('?limit=9999')).toHaveLength(121);
    expect(await names('?limit=x')).toHaveLength(100);
    expect(await names('?limit=1.5')).toHaveLength(100);
    expect(await names('?eventName=old&limit=500')).toHaveLength(120);
    expect(await names('?eventName=')).toHaveLength(100);
    expect(await names('?eventName=OLD')).toEqual([]);
    expect(await names('?eventName=email.skipped')).toEqual([]);
    const { events } = (await send('GET', '/events?limit=500')).body;
    const times = events.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(refusalOf(await send('GET', `/events?eventName=${'x'.repeat(256)}`))).toEqual([
      422,
      'VALIDATION_ERROR',
      'eventName: too_big',
    ]);
    expect(refusalOf(await send('GET', '/events?eventName=%00'))).toEqual([
      422,
      'VALIDATION_ERROR',
      'eventName: custom',
    ]);
  });

  it('of a contact: 50 of its events, or the requested number', async () => {
    const contactId = await contact('joe@people.test');
    await past(
      'mine',
      Array.from({ length: 60 }, (_, n) => n + 1),
      { contactId },
    );
    await past('hidden', [1], { contactId, kind: 'ACTIVITY' });
    await past('other', [1]);
    const path = `/events/contact/${contactId}`;
    const { status, body } = await send('GET', path);
    expect([status, Object.keys(body), body.events.length]).toEqual([200, ['events'], 50]);
    expect(body.events[0]).toEqual({
      id: uuid,
      name: 'mine',
      data: null,
      projectId: project.id,
      contactId,
      emailId: null,
      createdAt: date,
    });
    expect((await send('GET', `${path}?limit=3`)).body.events).toHaveLength(3);
    expect((await send('GET', `${path}?limit=5000`)).body.events).toHaveLength(60);
    for (const id of [unknown, (await stranger('POST', '/contacts', { email: 'kim@people.test' })).body.id])
      expect(refusalOf(await send('GET', `/events/contact/${id}`))).toEqual([404, 'CONTACT_NOT_FOUND']);
    expect(refusalOf(await send('GET', '/events/contact/x'))).toEqual([
      422,
      'VALIDATION_ERROR',
      'contactId: invalid_string',
    ]);
  });

  it('counts names: in 30 days, in a period, in total', async () => {
    await past('b', [1, 2, 3]);
    await past('a', [1, 2, 40 * dayMs]);
    await past('ancient', Array(5).fill(31 * dayMs));
    await past('email.open', [1, 2], { kind: 'SYSTEM' });
    await past('email.failed', [1, 2], { kind: 'ACTIVITY' });
    const stats = async (query = '') => {
      const { status, body } = await send('GET', `/events/stats${query}`);
      expect(status).toBe(200);
      return body.map(({ name, count }: { name: string; count: number }) => `${name} ${count}`);
    };
    expect(await stats()).toEqual(['b 3', 'a 2', 'email.open 2']);
    const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
    expect(await stats(`?startDate=${ago(50)}`)).toEqual(['ancient 5', 'a 3', 'b 3', 'email.open 2']);
    expect(await stats(`?startDate=${ago(50)}&endDate=${ago(35)}`)).toEqual(['a 1']);
    // Without a start, the 30 days before the end.
    expect(await stats(`?endDate=${ago(20)}`)).toEqual(['ancient 5', 'a 1']);
    expect(await stats(`?startDate=${ago(1).slice(0, 10)}`)).toEqual(['b 3', 'a 2', 'email.open 2']);
    expect(await stats(`?startDate=${ago(3)}&endDate=${ago(2)}`)).toEqual([]);
    expect((await send('GET', '/events/names')).body).toEqual({
      eventNames: ['ancient', 'a', 'b', 'email.open'],
    });
    for (const [query, field] of [
      ['startDate=soon', 'startDate: invalid_date'],
      ['endDate=2026-13-01', 'endDate: invalid_date'],
      [`startDate=${ago(1)}&endDate=${ago(2)}`, 'endDate: invalid_range'],
    ]) {
      expect(refusalOf(await send('GET', `/events/stats?${query}`))).toEqual([
        422,
        'VALIDATION_ERROR',
        field,
      ]);
    }
    expect((await stranger('GET', '/events/names')).body.eventNames).not.toContain('ancient');
  });
});

describe('where a name is used', () => {
  const use = async (name: string) => (await send('GET', `${pathOf(name)}/usage`)).body;
  const node = (field: string, operator: string, more: object = {}) => ({
    logic: 'AND',
    groups: [{ filters: [{ field, operator, ...more }] }],
  });

  it('an unknown name is not used', async () => {
    const answer = await send('GET', `${pathOf('never seen')}/usage`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        usedInSegments: [],
        usedInCampaigns: [],
        usedInWorkflows: [],
        usedInGoals: [],
        totalCount: 0,
        uniqueContacts: 0,
        canDelete: true,
      },
    ]);
    const gone = await send('DELETE', pathOf('never seen'));
    expect([gone.status, gone.body]).toEqual([200, { deletedCount: 0 }]);
  });

  it('segments, open campaigns, triggers, waits and conditions; deleting a name in use is 409', async () => {
    await verifiedDomain(test.services, project.id, 'mail.test');
    const { workflow, add } = editorOf(send);
    const segment = await send('POST', '/segments', {
      name: 'Buyers',
      condition: node('event.bought', 'triggered'),
    });
    const campaign = await send('POST', '/campaigns', {
      name: 'News',
      subject: 'S',
      body: 'B',
      from: 'us@mail.test',
      audienceType: 'FILTERED',
      audienceCondition: node('event.read', 'triggeredWithin', { value: 1, unit: 'days' }),
    });
    const triggered = await workflow({ name: 'Triggered', eventName: 'signup' });
    const waits = await workflow({ name: 'Waits', eventName: 'other' });
    await add(waits, stepBody('WAIT_FOR_EVENT', { eventName: 'paid' }));
    await add(waits, stepBody('CONDITION', { field: 'event.plan', operator: 'exists' }));
    const [s, c] = [
      { id: segment.body.id, name: 'Buyers' },
      { id: campaign.body.data.id, name: 'News' },
    ];
    const w = (id: string, name: string) => ({ usedInWorkflows: [{ id, name }] });
    for (const [name, where] of [
      ['bought', { usedInSegments: [s] }],
      ['read', { usedInCampaigns: [c] }],
      ['signup', w(triggered, 'Triggered')],
      ['other', w(waits, 'Waits')],
      ['paid', w(waits, 'Waits')],
      ['plan', w(waits, 'Waits')],
    ] as const) {
      await named(name);
      expect(await use(name)).toEqual({
        usedInSegments: [],
        usedInCampaigns: [],
        usedInWorkflows: [],
        usedInGoals: [],
        ...where,
        totalCount: 1,
        uniqueContacts: 0,
        canDelete: false,
      });
      expect(refusalOf(await send('DELETE', pathOf(name)))).toEqual([409, 'CONFLICT']);
      expect((await use(name)).totalCount).toBe(1);
    }
    await send('DELETE', `/segments/${segment.body.id}`);
    await send('DELETE', `/campaigns/${campaign.body.data.id}`);
    await send('DELETE', `/workflows/${waits}`);
    await send('PATCH', `/workflows/${triggered}`, { triggerType: 'MANUAL' });
    for (const name of ['bought', 'read', 'signup', 'other', 'paid', 'plan']) {
      expect((await use(name)).canDelete).toBe(true);
      expect((await send('DELETE', pathOf(name))).body).toEqual({ deletedCount: 1 });
    }
    expect((await send('GET', '/events/names')).body.eventNames).toEqual([]);
  });

  it('email activity counts in both forms of its name', async () => {
    const segment = await send('POST', '/segments', {
      name: 'Readers',
      condition: node('email.opened', 'triggered'),
    });
    expect((await use('email.open')).usedInSegments).toEqual([{ id: segment.body.id, name: 'Readers' }]);
  });

  it('names of 255 arbitrary characters are found and deleted by their encoded path', async () => {
    for (const name of ['a/b?c#d e%f', '日本/語', 'x'.repeat(255), '語'.repeat(255), 'stats', 'names']) {
      const ids = [await contact('lea@people.test'), await contact('max@people.test')];
      for (const contactId of [ids[0], ids[0], ids[1], undefined]) await named(name, { contactId });
      expect(await use(name)).toMatchObject({ totalCount: 4, uniqueContacts: 2, canDelete: true });
      expect((await send('GET', `/events?eventName=${encodeURIComponent(name)}`)).body.events).toHaveLength(
        4,
      );
      const gone = await send('DELETE', pathOf(name));
      expect([gone.status, gone.body]).toEqual([200, { deletedCount: 4 }]);
      expect(await use(name)).toMatchObject({ totalCount: 0, uniqueContacts: 0 });
    }
    expect(refusalOf(await send('DELETE', pathOf('x'.repeat(256))))).toEqual([
      422,
      'VALIDATION_ERROR',
      'eventName: too_big',
    ]);
    expect(refusalOf(await send('DELETE', '/events/a%00'))).toEqual([
      422,
      'VALIDATION_ERROR',
      'eventName: custom',
    ]);
  });

  it('deletes only events of one project with one name', async () => {
    await named('shared');
    await named('sharedx');
    await stranger('POST', '/events/track', { name: 'shared' });
    expect((await send('DELETE', pathOf('shared'))).body).toEqual({ deletedCount: 1 });
    expect((await send('GET', '/events/names')).body.eventNames).toEqual(['sharedx']);
    expect((await stranger('GET', `${pathOf('shared')}/usage`)).body.totalCount).toBe(1);
  });
});
