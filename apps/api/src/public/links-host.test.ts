import { contactVariables } from '@postrider/core/mail/message';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../test/harness.ts';
import { type Mail, reader, sentMail } from './public.fixture.ts';

let test: TestApp;
let mail: Mail;

beforeAll(async () => {
  test = await startApp({
    API_URL: 'https://api.mail.test/base',
    DASHBOARD_URL: 'https://app.mail.test',
    LINKS_URL: 'https://links.mail.test',
  });
  mail = await sentMail(test);
});
afterAll(() => test.close());

const on = (host: string, url: string, more: { method?: 'GET' | 'POST' | 'OPTIONS'; accept?: string } = {}) =>
  test.app.inject({
    method: more.method ?? 'GET',
    url,
    headers: { ...reader, host, ...(more.accept ? { accept: more.accept } : {}) },
  });

describe.each(['links.mail.test', 'LINKS.mail.test:443', 'api.mail.test', 'localhost'])('on %s', (host) => {
  it.each<['GET' | 'POST', () => string, number]>([
    ['GET', () => mail.pages, 200],
    ['GET', () => `${mail.pages}/manage`, 200],
    ['POST', () => `${mail.pages}/unsubscribe`, 200],
    ['POST', () => '/u/invalid', 200],
    ['GET', () => '/u/invalid', 404],
    ['GET', () => mail.openPath, 200],
    ['GET', () => mail.clickPath('https://shop.test/'), 302],
  ])('%s of a link in an email answers', async (method, path, status) => {
    expect((await on(host, path(), { method })).statusCode).toBe(status);
  });
});

it.each([
  ['GET', '/'],
  ['GET', '/campaigns'],
  ['GET', '/health/live'],
  ['GET', '/metrics'],
  ['GET', '/config'],
  ['GET', '/docs'],
  ['GET', '/openapi.json'],
  ['GET', '/u/'],
  ['GET', '/t/'],
  ['GET', '/uploads/none.png'],
  ['POST', '/v1/send'],
  ['OPTIONS', '/v1/track'],
  ['POST', '/graphql'],
  ['GET', '/trpc/users.me'],
  ['POST', '/auth/login'],
] as const)('the host of LINKS_URL does not serve %s %s', async (method, path) => {
  for (const accept of ['application/json', 'text/html']) {
    const answer = await on('links.mail.test', path, { method, accept });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('Unknown route');
  }
});

it('links and pages have the address of LINKS_URL; the forms of a page stay on its host', async () => {
  const contact = { id: mail.contactId, email: mail.to, subscribed: true, data: {} };
  expect(contactVariables(test.services, { contact, context: {}, language: 'en' })).toMatchObject({
    unsubscribeUrl: expect.stringMatching(/^https:\/\/links\.mail\.test\/u\//),
  });
  expect((await on('links.mail.test', mail.pages)).body).toContain(`action="${mail.pages}/unsubscribe"`);
  expect((await on('api.mail.test', mail.pages)).body).toContain(`action="/base${mail.pages}/unsubscribe"`);
});
