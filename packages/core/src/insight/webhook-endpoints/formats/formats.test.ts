import { createHmac, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../base/event-types/event-types.rules.ts';
import { newEndpointSecret } from '../secrets.ts';
import { type ForeignFormat, isTypeOfFormat, typesOfFormat } from './format-types.rules.ts';
import { bodyInFormat, headersInFormat } from './request-of.ts';
import { publicKeyIn } from './signing-key.ts';
import type { Told } from './told.rules.ts';

const formats = Object.keys(typesOfFormat) as ForeignFormat[];
const cases = formats.flatMap((format) => typesOfFormat[format].map((type) => [format, type] as const));
const signed = { secret: newEndpointSecret(), seconds: 1_796_130_793 };
const told = (type: string, data: Record<string, unknown> = {}, origin: Told['origin'] = null): Told => ({
  id: '01a22249-d8a1-7c0b-9d1e-5f0c5b2d7a11',
  type,
  data,
  origin,
  eventAt: new Date('2026-03-01T09:30:00.250Z'),
});

describe('the formats of other services', () => {
  it.each(cases)('%s has a body for %s, whatever was stored', (format, type) => {
    const hostile = {
      emailId: null,
      tags: 'x',
      metadata: null,
      diagnosis: `${'5'.repeat(500)}\u2028</script>`,
      bounceClass: '__proto__',
      failureClass: 'constructor',
      to: '',
      from: '@',
      link: 'javascript:alert(1)',
      isFirstOpen: 'yes',
    };
    for (const data of [{}, hostile]) {
      const body = bodyInFormat(format, told(type, data), signed);
      expect(JSON.parse(body)).toBeTypeOf('object');
      expect(body).not.toMatch(/undefined|\[object|NaN|function/);
    }
  });

  it.each(formats)('%s takes its own types alone, and none that is only reported', (format) => {
    for (const [type, { kind }] of Object.entries(eventTypes)) {
      const isKnown = typesOfFormat[format].some((each) => each === type);
      expect(isTypeOfFormat(format, type)).toBe(isKnown);
      // What is only reported is queued for our own format (`insertReports`).
      expect(isKnown && kind === 'REPORT').toBe(false);
      if (!isKnown) expect(() => bodyInFormat(format, told(type), signed)).toThrow();
    }
    expect(isTypeOfFormat(format, '*')).toBe(true);
  });

  it('have the id of the first email of a message, and times in the units of each', () => {
    const event = told(
      'email.delivery',
      { emailId: 'second', from: 'a@shop.test', to: 'b@x.test' },
      { id: 'first' },
    );
    const of = (format: ForeignFormat) => JSON.parse(bodyInFormat(format, event, signed));
    expect(of('RESEND')).toMatchObject({
      created_at: '2026-03-01T09:30:00.250Z',
      data: { email_id: 'first' },
    });
    expect(of('POSTMARK')).toMatchObject({ MessageID: 'first', DeliveredAt: '2026-03-01T09:30:00.250Z' });
    expect(of('SENDGRID')).toMatchObject([{ sg_message_id: 'first', timestamp: 1_772_357_400 }]);
    expect(of('MAILGUN')).toMatchObject({
      'event-data': {
        timestamp: 1_772_357_400.25,
        message: { headers: { 'message-id': 'first@shop.test' } },
      },
    });
  });
});

describe('signatures', () => {
  it('of SENDGRID are verified by the public key of their secret, and by no other body, time or key', () => {
    const body = '[{"event":"delivered"}]';
    const headers = headersInFormat('SENDGRID', body, signed, {});
    const signature = Buffer.from(headers['X-Twilio-Email-Event-Webhook-Signature'] ?? '', 'base64');
    const isGood = (secret: string, text: string): boolean =>
      verify(
        'sha256',
        Buffer.from(text),
        createPublicKey({
          key: Buffer.from(publicKeyIn('SENDGRID', secret) ?? '', 'base64'),
          format: 'der',
          type: 'spki',
        }),
        signature,
      );
    expect(isGood(signed.secret, signed.seconds + body)).toBe(true);
    expect(isGood(signed.secret, `${signed.seconds}${body} `)).toBe(false);
    expect(isGood(signed.secret, `${signed.seconds + 1}${body}`)).toBe(false);
    expect(isGood(newEndpointSecret(), signed.seconds + body)).toBe(false);
  });

  it('of MAILGUN are over the time and a token of their own', () => {
    const of = () => JSON.parse(bodyInFormat('MAILGUN', told('email.open'), signed));
    const [first, second] = [of(), of()];
    const { timestamp, token, signature } = first.signature;
    expect(signature).toBe(
      createHmac('sha256', signed.secret)
        .update(timestamp + token)
        .digest('hex'),
    );
    expect(second.signature.token).not.toBe(token);
    expect(second['event-data']).toEqual(first['event-data']);
  });
});
