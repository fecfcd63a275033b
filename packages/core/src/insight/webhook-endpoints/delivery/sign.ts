import { createHmac } from 'node:crypto';

/**
 * The value of `webhook-signature` (Standard Webhooks): `v1,` and the base64 of an HMAC-SHA256 over `<id>.<timestamp>.<body>`, once per
 * secret, separated by a blank.
 *
 * @param secrets `whsec_` and base64
 * @param seconds the value of `webhook-timestamp`
 */
export const signatureOf = (
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
