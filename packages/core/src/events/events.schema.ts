import { z } from 'zod';
import { emailAddress, isoDate, notGiven } from '../kernel/schemas.ts';
import { readTrackedData } from './events.rules.ts';

const reserved = /^(email\..*|contact\.(un)?subscribed|segment\..*\.(entry|exit))$/s;

/** Names that the service emits itself (behaviour B6.1); case counts. */
export const isReservedEvent = (name: string): boolean => reserved.test(name);

/** 1 to 255 characters, trimmed, no control characters (behaviour B2.9). */
export const eventName = z
  .string()
  .trim()
  .refine((name) => name !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .refine((name) => name.length <= 255, { params: { code: 'too_big' }, message: 'At most 255 characters' })
  .refine((name) => !/\p{Cc}/u.test(name), {
    params: { code: 'invalid_string' },
    message: 'Must not contain control characters',
  });

export const trackInput = z.object({
  email: emailAddress,
  event: eventName,
  subscribed: notGiven(z.boolean()).describe(
    'Default true for a new contact; an existing one keeps its state',
  ),
  data: notGiven(z.record(z.string(), z.unknown()).transform(readTrackedData)),
});

export const trackOutput = z.object({ contact: z.string(), event: z.string(), timestamp: isoDate });
