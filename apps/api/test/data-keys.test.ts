import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

/** A key that cannot be stored safely is refused rather than dropped silently (B2.1). */
let test: TestApp;
beforeAll(async () => {
  test = await startApp();
  await verifiedDomain(test.services, test.project.id, 'shop.test');
});
afterAll(() => test.close());

const json = { 'content-type': 'application/json' };
const address = '"email":"reader@people.test"';
const mail = '"to":"reader@people.test","from":"team@shop.test","subject":"s","body":"b"';

const endpoints = [
  ['POST /contacts', '/contacts', 'secret', address],
  ['POST /v1/send', '/v1/send', 'secret', mail],
  ['POST /v1/track', '/v1/track', 'public', `${address},"event":"opened"`],
  ['POST /events/track by address', '/events/track', 'secret', `${address},"event":"opened"`],
  ['POST /events/track by name', '/events/track', 'secret', '"name":"opened"'],
] as const;

describe.each(endpoints)('%s', (_name, url, key, rest) => {
  // The bodies are strings: an object literal would set a prototype instead of the key.
  const send = (data: string) =>
    test.withKey(key === 'secret' ? test.project.secretKey : test.project.publicKey)(
      'POST',
      url,
      `{${rest},"data":${data}}`,
      json,
    );

  it.each([
    ['the key __proto__', '{"__proto__":"x"}', 'data.__proto__'],
    ['the key __proto__ with an object', '{"__proto__":{"admin":true}}', 'data.__proto__'],
    ['the key __proto__ written with escapes', '{"\\u005f_proto__":"x"}', 'data.__proto__'],
    [
      'the key __proto__ in a value',
      '{"a":{"value":{"__proto__":1},"persistent":false}}',
      'data.a.value.__proto__',
    ],
  ])('refuses %s', async (_what, data, field) => {
    const { status, body } = await send(data);
    expect([status, body.error.errors]).toEqual([
      422,
      [{ field, code: 'custom', message: expect.any(String) }],
    ]);
  });
});

it('constructor and prototype are keys like any other, and no prototype changes', async () => {
  const send = test.withKey(test.project.secretKey);
  const body = '{"email":"keys@people.test","data":{"constructor":"a","prototype":"b","toString":"c"}}';
  const created = await send('POST', '/contacts', body, json);
  expect(created.body.data).toEqual({ constructor: 'a', prototype: 'b', toString: 'c' });
  const nested =
    '{"email":"keys@people.test","event":"keys","data":{"constructor":{"prototype":{"admin":true}}}}';
  expect((await send('POST', '/events/track', nested, json)).status).toBe(201);
  const { body: listed } = await send('GET', '/events?eventName=keys');
  expect(listed.events[0].data).toEqual({ constructor: { prototype: { admin: true } } });
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

it('a __proto__ outside of data is an unknown field', async () => {
  const send = test.withKey(test.project.secretKey);
  const body = '{"email":"outside@people.test","__proto__":{"subscribed":false},"data":{"a":1}}';
  const { status, body: contact } = await send('POST', '/contacts', body, json);
  expect([status, contact.subscribed]).toEqual([201, true]);
});
