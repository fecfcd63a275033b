import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newEndpointSecret } from '../secrets.ts';
import { judge, retrySeconds } from './retry.rules.ts';
import { signatureOf } from './sign.ts';

const answered = (status: number) => judge({ kind: 'answer', status, body: '', isCut: false });

it('attempts follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const [seconds, minutes, hours] = [1, 60, 3_600];
  expect(retrySeconds).toEqual([
    5 * seconds,
    5 * minutes,
    30 * minutes,
    ...[2, 5, 10, 14, 20, 24].map((count) => count * hours),
  ]);
});

it.each([200, 201, 204, 299])('an answer of %i is a success', (status) =>
  expect(answered(status)).toEqual({ delivered: true, gone: false, statusCode: status, error: null }),
);

it.each([301, 307, 400, 404, 429, 500, 503])('an answer of %i is not', (status) =>
  expect(answered(status)).toMatchObject({ delivered: false, gone: false, statusCode: status }),
);

it('an answer of 410 says that the endpoint is gone', () =>
  expect(answered(410)).toMatchObject({ delivered: false, gone: true }));

it('without an answer, the attempt says why', () =>
  expect(judge({ kind: 'failed', reason: 'no answer within 15 seconds' })).toEqual({
    delivered: false,
    gone: false,
    statusCode: null,
    error: 'no answer within 15 seconds',
  }));

it('the official library of Standard Webhooks accepts the signature of either secret', () => {
  const secrets = [newEndpointSecret(), newEndpointSecret()];
  const seconds = Math.floor(Date.now() / 1_000);
  const body = '{"type":"email.sent","data":{"subject":"Grüße"}}';
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf(secrets, { id: 'one', seconds, body }),
  };
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newEndpointSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow();
});
