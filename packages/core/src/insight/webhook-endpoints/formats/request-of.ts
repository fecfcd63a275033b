import { createHmac, randomBytes, sign } from 'node:crypto';
import { payloadOf } from '../present-delivery.ts';
import type { WebhookFormat } from './format-types.rules.ts';
import { mailgunEvent } from './mailgun-event.rules.ts';
import { postmarkEvent } from './postmark-event.rules.ts';
import { resendEvent } from './resend-event.rules.ts';
import { sendgridEvent } from './sendgrid-event.rules.ts';
import { signingKeyOf } from './signing-key.ts';
import type { Told } from './told.rules.ts';

export interface Signed {
  /** of the endpoint, `whsec_` and base64 */
  secret: string;
  /** the value of `webhook-timestamp` */
  seconds: number;
}

interface Shape {
  bodyOf(told: Told, signed: Signed): unknown;
  /** beside those of Standard Webhooks. @param standard their values by name */
  headersOf?(
    body: string,
    signed: Signed,
    standard: Readonly<Record<string, string>>,
  ): Record<string, string>;
}

/** What each service has where we have `{type, kind, timestamp, data}` and the headers of Standard Webhooks (behaviour B16.10). */
const shapes: Readonly<Record<WebhookFormat, Shape>> = {
  POSTRIDER: { bodyOf: ({ type, data, eventAt }) => payloadOf({ type, data: { ...data }, eventAt }) },
  RESEND: {
    bodyOf: resendEvent,
    headersOf: (_body, _signed, standard) =>
      Object.fromEntries(
        Object.entries(standard).map(([name, value]) => [name.replace(/^webhook-/, 'svix-'), value]),
      ),
  },
  POSTMARK: { bodyOf: postmarkEvent },
  SENDGRID: {
    bodyOf: (told) => [sendgridEvent(told)],
    headersOf: (body, { secret, seconds }) => ({
      'X-Twilio-Email-Event-Webhook-Timestamp': String(seconds),
      'X-Twilio-Email-Event-Webhook-Signature': sign(
        'sha256',
        Buffer.from(`${seconds}${body}`),
        signingKeyOf(secret),
      ).toString('base64'),
    }),
  },
  MAILGUN: {
    bodyOf: (told, signed) => ({ signature: mailgunSignature(signed), 'event-data': mailgunEvent(told) }),
  },
};

/** Programs remember tokens to refuse a repeated request, so each attempt has one of its own. */
function mailgunSignature({ secret, seconds }: Signed): Record<string, string> {
  const timestamp = String(seconds);
  const token = randomBytes(25).toString('hex');
  const signature = createHmac('sha256', secret)
    .update(timestamp + token)
    .digest('hex');
  return { timestamp, token, signature };
}

export const bodyInFormat = (format: WebhookFormat, told: Told, signed: Signed): string =>
  JSON.stringify(shapes[format].bodyOf(told, signed));

export const headersInFormat = (
  format: WebhookFormat,
  body: string,
  signed: Signed,
  standard: Readonly<Record<string, string>>,
): Record<string, string> => shapes[format].headersOf?.(body, signed, standard) ?? {};
