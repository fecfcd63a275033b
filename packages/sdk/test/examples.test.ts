import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postriderOf, signupRoute } from '../examples/nextjs-route.ts';
import { sendReceipt } from '../examples/react-email.tsx';
import { createReceiver } from '../examples/webhook-receiver.ts';
import type { VerifiedWebhook } from '../src/index.ts';
import { json, refusal, serve } from '../src/testing.fixture.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const stored = json(201, { id: 'e', contactId: 'c', createdAt: timestamp });
const accepted = json(200, { success: true, data: { emails: [], timestamp } });
const from = 'hello@example.com';

describe('the route handler for Next.js', () => {
  const submit = (email: string): Request => {
    const body = new FormData();
    body.set('email', email);
    body.set('submission', '7');
    return new Request('https://app.example.com/api/signup', { method: 'POST', body });
  };

  it('tracks the sign-up and sends the welcome once per submission', async () => {
    const { baseUrl, received } = await serve(stored, accepted);
    const handler = signupRoute(postriderOf({ POSTRIDER_KEY: 'sk_1', POSTRIDER_URL: baseUrl }), from);
    expect((await handler(submit('ada@example.com'))).status).toBe(200);
    expect(received.map(({ url }) => url)).toEqual(['/events/track', '/v1/send']);
    expect(received[1]?.headers['idempotency-key']).toBe('welcome-7');
  });

  it('answers with the fields that are wrong', async () => {
    const errors = [{ field: 'email', message: 'Required', code: 'required' }];
    const { baseUrl } = await serve(json(422, refusal('VALIDATION_ERROR', 422, { errors })));
    const handler = signupRoute(postriderOf({ POSTRIDER_KEY: 'sk_1', POSTRIDER_URL: baseUrl }), from);
    const response = await handler(submit(''));
    expect([response.status, await response.json()]).toEqual([422, { errors }]);
  });
});

it('the email in React is sent as HTML, with the variables left for Postrider', async () => {
  const { baseUrl, received } = await serve(accepted);
  const postrider = postriderOf({ POSTRIDER_KEY: 'sk_1', POSTRIDER_URL: baseUrl });
  await sendReceipt(postrider, { from, to: 'ada@example.com', order: 'A<1>', total: '12 €' });
  const { body } = JSON.parse(received[0]?.body ?? '') as { body: string };
  expect(body).toMatch(/^<!doctype html><html lang="en">/);
  expect(body).toContain('{{name ?? there}}');
  expect(body).toContain('<strong>A&lt;1&gt;</strong> of 12 €');
});

it('the receiver of webhooks accepts signed requests and refuses others', async () => {
  const secret = `whsec_${btoa('a secret of the endpoint, 32 byte')}`;
  const events: VerifiedWebhook[] = [];
  const server = createReceiver(secret, (event) => events.push(event)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = JSON.stringify({ type: 'email.open', timestamp, data: { contact: null } });
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  };
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(204);
  expect((await fetch(url, { method: 'POST', body: `${body} `, headers })).status).toBe(400);
  expect(events).toMatchObject([{ id: 'msg_1', type: 'email.open' }]);
});
