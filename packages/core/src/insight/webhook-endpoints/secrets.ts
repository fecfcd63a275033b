import { randomBytes } from 'node:crypto';

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newEndpointSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** After a rotation, the former secret also signs for this long. */
export const rotationMs = 24 * 60 * 60 * 1_000;
