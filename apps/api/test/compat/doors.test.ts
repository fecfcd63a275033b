import { requestLogOf } from '@postrider/core/insight/requests';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startApp, type TestApp } from '../harness.ts';

/** What all drop-in doors have in common. */
let test: TestApp;
let limited: TestApp;
beforeAll(async () => {
  [test, limited] = await Promise.all([startApp(), startApp({ RATE_LIMIT_PER_MINUTE: '5' })]);
  await verifiedDomain(test.services, test.project.id, 'shop.test');
});
afterAll(async () => {
  await test.close();
  await limited.close();
});

const from = 'team@shop.test';
type Body = object | string;
interface Door {
  path: string;
  body(change?: Record<string, unknown>): Body;
  headers(key: string): Record<string, string>;
  textOf(answer: Answer): string;
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const doors: Record<string, Door> = {
  resend: {
    path: '/emails',
    body: (change) => ({ from, to: 'a@people.test', subject: 'Hello', text: 'Hello', ...change }),
    headers: bearer,
    textOf: ({ body }) => body.message,
  },
  postmark: {
    path: '/email',
    body: (change) => ({ From: from, To: 'a@people.test', Subject: 'Hello', TextBody: 'Hello', ...change }),
    headers: (key) => ({ 'x-postmark-server-token': key }),
    textOf: ({ body }) => body.Message,
  },
  sendgrid: {
    path: '/v3/mail/send',
    body: (change) => ({
      from: { email: from },
      subject: 'Hello',
      content: [{ type: 'text/plain', value: 'Hello' }],
      personalizations: [{ to: [{ email: 'a@people.test' }] }],
      ...change,
    }),
    headers: bearer,
    textOf: ({ body }) => body.errors[0].message,
  },
  mailgun: {
    path: '/v3/shop.test/messages',
    body: (change) =>
      new URLSearchParams({
        from,
        to: 'a@people.test',
        subject: 'Hello',
        text: 'Hello',
        ...change,
      }).toString(),
    headers: (key) => ({
      authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    }),
    textOf: ({ body }) => body.message,
  },
  plunk: {
    path: '/send',
    body: (change) => ({ from, to: 'a@people.test', subject: 'Hello', body: 'Hello', ...change }),
    headers: bearer,
    textOf: ({ body }) => body.message,
  },
};

const post = (name: string, body: Body, key = test.project.secretKey, more = {}, app = test) => {
  const door = doors[name];
  if (!door) throw new Error(`no door ${name}`);
  return app.anyone('POST', `/compat/${name}${door.path}`, body, { ...door.headers(key), ...more });
};

describe.each(Object.entries(doors))('%s', (name, door) => {
  it('takes no session, no other place of the key, and no key of another kind', async () => {
    const session = await test.sessionHeaders();
    const headers = { ...door.headers(''), ...session };
    for (const place of ['authorization', 'x-postmark-server-token'])
      delete headers[place as keyof typeof headers];
    const answer = await test.anyone('POST', `/compat/${name}${door.path}`, door.body(), headers);
    expect(answer.status).toBe(401);
    expect([401, 403]).toContain((await post(name, door.body(), test.project.publicKey)).status);
  });

  it('undoes a dry run, and has the headers of every request', async () => {
    const count = async (): Promise<number> => test.services.database.prisma.email.count();
    const before = await count();
    const answer = await post(name, door.body(), undefined, { 'dry-run': 'true', 'x-request-id': 'mine' });
    expect(answer.status).toBeLessThan(300);
    expect([answer.headers['dry-run'], answer.headers['x-request-id']]).toEqual(['true', 'mine']);
    expect(answer.headers['ratelimit-limit']).toBe('1000');
    expect(await count()).toBe(before);
  });

  it('names an unknown field and a path that is not offered, in the form of the service', async () => {
    const unknown = await post(name, door.body({ nonsense: 'x' }));
    expect([400, 422]).toContain(unknown.status);
    expect(door.textOf(unknown)).toContain('nonsense');
    const path = await test.anyone(
      'GET',
      `/compat/${name}/nonsense`,
      undefined,
      door.headers(test.project.secretKey),
    );
    expect([path.status, door.textOf(path)]).toEqual([404, expect.stringMatching(/not offered/)]);
    const anonymous = await test.anyone('GET', `/compat/${name}/nonsense`);
    expect(anonymous.status).toBe(401);
  });

  it('answers over the rate limit with Retry-After, and a disabled project', async () => {
    const { project } = limited;
    const answers: Answer[] = [];
    for (let n = 0; n < 6; n += 1)
      answers.push(await post(name, door.body(), project.secretKey, {}, limited));
    const last = answers.at(-1);
    expect([last?.status, Number(last?.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    await limited.services.database.prisma.rateWindow.deleteMany();
    const off = await createTestProject(test.services);
    await test.services.database.prisma.project.update({ where: { id: off.id }, data: { disabled: true } });
    expect([403, 422]).toContain((await post(name, door.body(), off.secretKey)).status);
  });

  it('survives hostile bodies without a 5xx', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const bodies: Body[] =
      name === 'mailgun'
        ? [
            '&'.repeat(10_000),
            new URLSearchParams({ from, to: ','.repeat(700_000), text: 'x', subject: 'x' }).toString(),
            new URLSearchParams({
              from,
              to: 'a@b.test',
              'recipient-variables': `{"a@b.test":${deep}}`,
              text: 'x',
            }).toString(),
            new URLSearchParams({
              from,
              to: 'a@b.test',
              'h:__proto__': 'x',
              'v:__proto__': 'x',
              text: 'x',
              subject: 'x',
            }).toString(),
          ]
        : [
            `{"from":${deep}}`,
            '{"__proto__":{"to":"a@b.test"}}',
            '[]',
            '[[],null,5]',
            '{"personalizations":5,"to":{},"To":[],"headers":[],"Headers":5,"tags":5,"attachments":5,"content":"x","template":[],"Metadata":[]}',
            '{"from":"\\u0000","to":"\\ud800","From":"\\u0000","subject":"\\u0000"}',
          ];
    const type = name === 'mailgun' ? {} : { 'content-type': 'application/json' };
    for (const body of bodies) {
      const { status, text } = await post(name, body, undefined, type);
      expect([status < 500, text.slice(0, 200)]).toEqual([true, expect.any(String)]);
    }
  });
});

it('shows in the request log what is missed: fields and paths', async () => {
  await post('resend', doors['resend']?.body({ topic_id: 'x' }) ?? {});
  await test.withKey(test.project.secretKey)('GET', '/compat/resend/domains');
  await post('postmark', doors['postmark']?.body({ MessageStream: 'x' }) ?? {});
  await requestLogOf(test.services).settled();
  const { body } = await test.withKey(test.project.secretKey)(
    'GET',
    '/requests?code=NOT_SUPPORTED&limit=100',
  );
  const seen = body.data.map(({ path, status, operation }: Record<string, unknown>) => [
    path,
    status,
    operation,
  ]);
  expect(seen).toContainEqual(['/compat/resend/emails', 422, 'sending.send']);
  expect(seen).toContainEqual(['/compat/resend/*', 404, null]);
  expect(seen).toContainEqual(['/compat/postmark/email', 422, 'sending.send']);
});

it('describes none of these paths in the API document', async () => {
  const { text } = await test.anyone('GET', '/openapi.json');
  expect(text).not.toContain('/compat/');
});
