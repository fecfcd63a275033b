import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyStep, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

const secret = `whsec_${btoa('a secret of the endpoint, 32 byte')}`;
const other = `whsec_${btoa('another secret, just as long as it')}`;
const payload = JSON.stringify({
  type: 'email.bounce',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { contact: null, name: 'Zoë ✓' },
});
const now = Date.parse('2026-01-01T00:00:10Z');

/** The headers as the official library signs them. */
function signed(by = secret, { at = now, body = payload } = {}): Record<string, string> {
  const id = 'msg_1';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(by).sign(id, new Date(at), body),
  };
}
const refused = WebhookVerificationError;

describe('verifyWebhook', () => {
  it('accepts what the official library signed, as text, bytes, plain headers or Headers', async () => {
    const expected = { id: 'msg_1', ...JSON.parse(payload) };
    const headers = signed();
    expect(await verifyWebhook(payload, headers, secret, { now })).toEqual(expected);
    const bytes = new TextEncoder().encode(payload);
    expect(await verifyWebhook(bytes, new Headers(headers), secret, { now })).toEqual(expected);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await verifyWebhook(payload, upper, secret, { now })).toEqual(expected);
  });

  it('passes on a kind that is newer than the SDK', async () => {
    const body = JSON.stringify({ kind: 'email.teleported', type: 'email.teleported', data: { to: 'Mars' } });
    const verified = await verifyWebhook(body, signed(secret, { body }), secret, { now });
    expect(verified).toEqual({ id: 'msg_1', ...JSON.parse(body) });
  });

  it('accepts a signature of any secret while secrets change, and any of several signatures', async () => {
    expect(await verifyWebhook(payload, signed(other), [secret, other], { now })).toMatchObject({
      id: 'msg_1',
    });
    const both = `${signed(other)['webhook-signature']} ${signed()['webhook-signature']}`;
    const headers = { ...signed(), 'webhook-signature': `v1a,AAAA ${both}` };
    expect(await verifyWebhook(payload, headers, secret, { now })).toMatchObject({ id: 'msg_1' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['another body', () => verifyWebhook(`${payload} `, signed(), secret, { now })],
    ['another id', () => verifyWebhook(payload, { ...signed(), 'webhook-id': 'msg_2' }, secret, { now })],
    ['another secret', () => verifyWebhook(payload, signed(other), secret, { now })],
    [
      'another time',
      () =>
        verifyWebhook(payload, { ...signed(), 'webhook-timestamp': `${now / 1000 - 1}` }, secret, { now }),
    ],
    ['no signature', () => verifyWebhook(payload, { ...signed(), 'webhook-signature': '' }, secret, { now })],
    [
      'a signature cut short',
      () => verifyWebhook(payload, { ...signed(), 'webhook-signature': 'v1,AAAA' }, secret, { now }),
    ],
    [
      'a time that is no number',
      () => verifyWebhook(payload, { ...signed(), 'webhook-timestamp': 'now' }, secret),
    ],
    ['no secret at all', () => verifyWebhook(payload, signed(), [], { now })],
  ])('refuses %s', async (_what, verify) => {
    await expect(verify()).rejects.toThrow(refused);
  });

  it('refuses a request whose time is more than the tolerance away, in either direction', async () => {
    for (const apart of [-301_000, 301_000]) {
      const headers = signed(secret, { at: now + apart });
      await expect(verifyWebhook(payload, headers, secret, { now })).rejects.toThrow(refused);
      expect(await verifyWebhook(payload, headers, secret, { now, toleranceSeconds: 400 })).toBeDefined();
    }
  });

  it('names a secret that is none', async () => {
    await expect(verifyWebhook(payload, signed(), 'whsec_?', { now })).rejects.toThrow('whsec_ and base64');
  });
});

describe('verifyStep', () => {
  const signedStep = (body: string, { by = 's3cret', at = now } = {}) => {
    const seconds = Math.floor(at / 1000);
    const signature = createHmac('sha256', by).update(`${seconds}.${body}`).digest('hex');
    return { 'x-postrider-delivery': 'd-1', 'x-postrider-signature': `t=${seconds},v1=${signature}` };
  };

  it('accepts what the project signed, with a body or without', async () => {
    const body = '{"name":"Zoë"}';
    expect(await verifyStep(body, signedStep(body), ['old', 's3cret'], { now })).toEqual({
      delivery: 'd-1',
      body: { name: 'Zoë' },
    });
    expect(await verifyStep('', signedStep(''), 's3cret', { now })).toEqual({
      delivery: 'd-1',
      body: undefined,
    });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['another body', () => verifyStep('{}', signedStep(''), 's3cret', { now })],
    ['another secret', () => verifyStep('', signedStep('', { by: 'other' }), 's3cret', { now })],
    ['an old request', () => verifyStep('', signedStep('', { at: now - 301_000 }), 's3cret', { now })],
    [
      'a malformed signature',
      () =>
        verifyStep('', { ...signedStep(''), 'x-postrider-signature': `t=${now / 1000},v1=00` }, 's3cret', {
          now,
        }),
    ],
    ['no signature', () => verifyStep('', { 'x-postrider-delivery': 'd-1' }, 's3cret', { now })],
  ])('refuses %s', async (_what, verify) => {
    await expect(verify()).rejects.toThrow(refused);
  });

  it('accepts no empty secret, with which anybody can sign', async () => {
    await expect(verifyStep('', signedStep('', { by: '' }), '', { now })).rejects.toThrow('of the project');
  });
});
