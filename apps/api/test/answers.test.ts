import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Statuses, envelopes and flat bodies of the endpoints (behaviour B4.1-B4.20, B7.4); their effects are tested with the operations. */
let test: TestApp;
let send: Send;
let session: Send;

const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';
const from = 'hello@answers.example.com';
const mail = { subject: 'Hello', body: '<p>Hello</p>', from };

beforeAll(async () => {
  test = await startApp();
  await verifiedDomain(test.services, test.project.id, 'answers.example.com');
  send = test.withKey(test.project.secretKey);
  session = await test.withSession();
});
afterAll(() => test.close());

describe('200', () => {
  it('POST /v1/send: an envelope with one element per recipient', async () => {
    const { status, body } = await send('POST', '/v1/send', {
      ...mail,
      to: ['a@example.com', 'b@example.com'],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        emails: [
          ...['a@example.com', 'b@example.com'].map((email) => ({
            contact: { id: expect.any(String), email },
            email: expect.any(String),
            to: email,
            recipientType: 'TO',
            status: 'PENDING',
            reason: null,
            scheduledAt: null,
            heldBy: null,
            estimatedSendAt: expect.any(String),
          })),
        ],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
  });

  it('POST /v1/send with a session', async () => {
    expect((await session('POST', '/v1/send', { ...mail, to: 'c@example.com' })).status).toBe(200);
  });

  it('POST /v1/track: an envelope with the ids', async () => {
    const track = test.withKey(test.project.publicKey);
    const { status, body } = await track('POST', '/v1/track', { email: 'a@example.com', event: 'signup' });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: { contact: expect.any(String), event: expect.any(String), timestamp: expect.any(String) },
      },
    ]);
  });

  it('POST /v1/verify: an envelope with the results', async () => {
    const { status, body } = await send('POST', '/v1/verify', { email: 'Ada+news@example.com' });
    expect([status, body.success, body.data.email, body.data.isPlusAddressed]).toEqual([
      200,
      true,
      'ada+news@example.com',
      true,
    ]);
  });

  it('POST /contacts for an existing address: no envelope, marked as an update', async () => {
    await send('POST', '/contacts', { email: 'twice@example.com' });
    const { status, body } = await send('POST', '/contacts', {
      email: 'TWICE@example.com',
      data: { plan: 'pro' },
    });
    expect([status, body._meta, body.data]).toEqual([200, { isNew: false, isUpdate: true }, { plan: 'pro' }]);
  });

  it.each(['/contacts', '/emails'])('GET %s: a cursor list', async (path) => {
    const { status, body } = await send('GET', `${path}?limit=1`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['cursor', 'data', 'hasMore', 'total']);
    expect(body).toMatchObject({ hasMore: true, data: [expect.any(Object)] });
    const next = await send('GET', `${path}?limit=1&cursor=${body.cursor}`);
    expect(next.body).toMatchObject({ total: 0 });
    expect(next.body.data[0].id).not.toBe(body.data[0].id);
  });

  it.each(['/templates', '/campaigns'])('GET %s: a page list', async (path) => {
    const { status, body } = await send('GET', `${path}?page=5&pageSize=1000`);
    expect([status, body.page, body.pageSize, body.data]).toEqual([200, 5, 100, []]);
    expect(Object.keys(body).sort()).toEqual(['data', 'page', 'pageSize', 'total', 'totalPages']);
  });

  it('POST /campaigns/:id/send: an envelope with a message, without a body too', async () => {
    await send('POST', '/contacts', { email: 'reader@example.com' });
    const draft = { ...mail, name: 'News', audienceType: 'ALL' };
    const { body: created } = await send('POST', '/campaigns', draft);
    const later = '2036-01-01T00:00:00.000Z';
    const scheduled = await send('POST', `/campaigns/${created.data.id}/send`, {
      scheduledFor: '2036-01-01',
    });
    expect([scheduled.status, scheduled.body]).toEqual([
      200,
      {
        success: true,
        data: {
          ...{ id: created.data.id, name: 'News', status: 'SCHEDULED', scheduledFor: later },
          localTime: null,
          waitsFor: 'engine',
        },
        message: `Campaign scheduled for ${later}`,
      },
    ]);
    const sent = await send('POST', `/campaigns/${created.data.id}/send`);
    expect(sent.body).toMatchObject({
      success: true,
      data: { status: 'SENDING', scheduledFor: null },
      message: 'Campaign is being sent',
    });
    const stats = await send('GET', `/campaigns/${created.data.id}/stats`);
    expect([stats.status, stats.body.sentCount]).toEqual([200, 0]);
    const cancelled = await send('POST', `/campaigns/${created.data.id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'CANCELLED']);
  });

  it('GET /emails/:id with its interactions, and its preview', async () => {
    const { body } = await send('POST', '/v1/send', { ...mail, to: 'preview@example.com' });
    const id = body.data.emails[0].email;
    const email = await send('GET', `/emails/${id}`);
    expect([email.status, email.body.to, email.body.interactions]).toEqual([200, 'preview@example.com', []]);
    const preview = await send('GET', `/emails/${id}/preview`);
    expect([preview.status, preview.body.subject]).toEqual([200, 'Hello']);
  });

  it('PATCH /users/@me/projects/:id and the list of projects', async () => {
    const patched = await session('PATCH', `/users/@me/projects/${test.project.id}`, {
      tracking: 'DISABLED',
    });
    expect([patched.status, patched.body.tracking]).toEqual([200, 'DISABLED']);
    const { body } = await session('GET', '/users/@me/projects');
    expect(body).toEqual([
      expect.objectContaining({ id: test.project.id, role: 'OWNER', secret: test.project.secretKey }),
    ]);
  });
});

describe('201', () => {
  it('POST /contacts for a new address: no envelope, marked as new', async () => {
    const { status, body } = await send('POST', '/contacts', { email: 'New@Example.com' });
    expect([status, body.email, body._meta]).toEqual([
      201,
      'new@example.com',
      { isNew: true, isUpdate: false },
    ]);
  });

  it('POST /templates: no envelope', async () => {
    const { status, body } = await send('POST', '/templates', { ...mail, name: 'Welcome' });
    expect([status, body.name, body.type]).toEqual([201, 'Welcome', 'MARKETING']);
    expect((await send('GET', `/templates/${body.id}`)).body).toEqual(body);
  });

  it('POST /campaigns: an envelope', async () => {
    const { status, body } = await send('POST', '/campaigns', { ...mail, name: 'News', audienceType: 'ALL' });
    expect([status, body.success, body.data.status]).toEqual([201, true, 'DRAFT']);
  });

  it('POST /users/@me/projects, which needs no X-Project-Id', async () => {
    const { status, body } = await session(
      'POST',
      '/users/@me/projects',
      { name: 'Second' },
      { 'x-project-id': '' },
    );
    expect([status, body.role, body.public.slice(0, 3)]).toEqual([201, 'OWNER', 'pk_']);
  });
});

describe('204', () => {
  it('DELETE /domains/:id: an empty body', async () => {
    const { status, body } = await send('POST', '/domains', { domain: 'gone.example.com' });
    expect(status).toBe(201);
    const deleted = await send('DELETE', `/domains/${body.id}`);
    expect([deleted.status, deleted.text, deleted.headers['content-type']]).toEqual([204, '', undefined]);
  });
});

describe('400 with a flat body', () => {
  it.each([
    ['/contacts', {}, 'email'],
    ['/contacts', { email: null }, 'email'],
    ['/contacts', { email: '  ' }, 'email'],
    ['/templates', { ...mail, name: '' }, 'name'],
    ['/templates', { ...mail, name: 'T', subject: undefined }, 'subject'],
    ['/templates', { ...mail, name: 'T', body: null }, 'body'],
    ['/templates', { ...mail, name: 'T', from: undefined }, 'from'],
  ])('POST %s %j', async (path, input, field) => {
    const { status, body } = await send('POST', path, input);
    expect([status, body]).toEqual([400, { error: `${field} is required` }]);
  });

  it('not for a field of a wrong type, which is 422 with the envelope', async () => {
    const answer = await send('POST', '/contacts', { email: 7 });
    expect([answer.status, codeOf(answer), answer.body.error.errors]).toEqual([
      422,
      'VALIDATION_ERROR',
      [{ field: 'email', code: 'invalid_type', message: expect.any(String), received: 'number' }],
    ]);
  });
});

describe('400', () => {
  it.each([
    '/contacts?subscribed=yes',
    '/contacts?status=happy',
    '/campaigns?status=LOST',
    '/templates?type=X',
    '/contacts?cursor=%00',
  ])('BAD_REQUEST or 422: GET %s', async (url) => {
    const answer = await send('GET', url);
    expect([answer.status, codeOf(answer)]).toEqual(
      url.includes('%00') ? [422, 'VALIDATION_ERROR'] : [400, 'BAD_REQUEST'],
    );
  });
});

describe('403', () => {
  it('INTERNAL_SERVER_ERROR for a sender that is not verified', async () => {
    const answer = await send('POST', '/v1/send', {
      ...mail,
      from: 'me@elsewhere.example',
      to: 'a@example.com',
    });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'INTERNAL_SERVER_ERROR']);
    expect(answer.body.error.message).toContain('elsewhere.example');
  });
});

describe('404', () => {
  it.each([
    ['GET', '/contacts/', 'CONTACT_NOT_FOUND'],
    ['GET', '/templates/', 'TEMPLATE_NOT_FOUND'],
    ['GET', '/campaigns/', 'CAMPAIGN_NOT_FOUND'],
    ['GET', '/emails/', 'RESOURCE_NOT_FOUND'],
    ['DELETE', '/domains/', 'DOMAIN_NOT_FOUND'],
  ])('%s %s:id of a record that does not exist', async (method, path, code) => {
    const answer = await send(method, path + unknown);
    expect([answer.status, codeOf(answer)]).toEqual([404, code]);
  });

  it('the record of another project answers exactly like an unknown one', async () => {
    const other = await createTestProject(test.services);
    const { body } = await test.withKey(other.secretKey)('POST', '/contacts', {
      email: 'theirs@example.com',
    });
    const read = async (id: string) => {
      const { status, body: answer } = await send('GET', `/contacts/${id}`);
      return { status, error: { ...answer.error, requestId: null } };
    };
    expect(await read(body.id)).toEqual(await read(unknown));
  });
});

describe('409', () => {
  it('IDEMPOTENCY_KEY_REUSED across /v1/send and /v1/track', async () => {
    const headers = { 'idempotency-key': 'order 42' };
    const first = await send('POST', '/v1/send', { ...mail, to: 'a@example.com' }, headers);
    expect(first.status).toBe(200);
    const again = [
      await send('POST', '/v1/send', { ...mail, to: 'a@example.com' }, headers),
      await test.withKey(test.project.publicKey)(
        'POST',
        '/v1/track',
        { email: 'a@example.com', event: 'e' },
        headers,
      ),
    ];
    for (const answer of again) {
      expect([answer.status, codeOf(answer)]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      expect(answer.body.error.details).toMatchObject({
        key: 'order 42',
        originalRequest: 'POST /v1/send',
        originalRequestAt: expect.any(String),
        originalStatusCode: 200,
      });
    }
  });

  it('exactly one of several simultaneous requests with one key succeeds', async () => {
    const headers = { 'idempotency-key': 'race' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('POST', '/v1/send', { ...mail, to: 'race@example.com' }, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('a failed request does not use up the key', async () => {
    const headers = { 'idempotency-key': 'second try' };
    expect((await send('POST', '/v1/send', { ...mail, to: 'nobody' }, headers)).status).toBe(422);
    expect((await send('POST', '/v1/send', { ...mail, to: 'a@example.com' }, headers)).status).toBe(200);
  });

  it('CONFLICT for a campaign with the wrong status', async () => {
    const { body } = await send('POST', '/campaigns', { ...mail, name: 'News', audienceType: 'ALL' });
    const answer = await send('POST', `/campaigns/${body.data.id}/cancel`);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
    expect(answer.body.error.message).toContain('DRAFT');
  });
});

describe('422', () => {
  it('one item per problem, with dot paths; no details; suggestion and timestamp always', async () => {
    const answer = await send('POST', '/v1/send', {
      ...mail,
      to: ['a@example.com', { email: 'x' }],
      subject: '',
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Request validation failed',
        statusCode: 422,
        requestId: answer.headers['x-request-id'],
        errors: expect.arrayContaining([
          expect.objectContaining({ field: 'to.1.email', code: 'invalid_string' }),
          expect.objectContaining({ field: 'subject', code: 'too_small' }),
        ]),
        suggestion: expect.any(String),
        docs: `${test.services.config.API_URL}/docs/errors/VALIDATION_ERROR`,
      },
      timestamp: expect.stringMatching(/Z$/),
    });
  });

  it('reserved events', async () => {
    const answer = await test.withKey(test.project.publicKey)('POST', '/v1/track', {
      email: 'a@example.com',
      event: 'email.open',
    });
    expect(answer.body.error.errors).toEqual([
      expect.objectContaining({ field: 'event', code: 'reserved_event', received: 'email.open' }),
    ]);
  });

  it('text that cannot be stored, at its field', async () => {
    const answer = await send('POST', '/contacts', { email: 'a@example.com', data: { note: 'a\u0000b' } });
    expect([answer.status, answer.body.error.errors[0]]).toEqual([
      422,
      expect.objectContaining({ field: 'data.note', code: 'custom' }),
    ]);
  });
});
