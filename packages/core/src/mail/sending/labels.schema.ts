import { z } from 'zod';
import { logged, notGiven, reporter } from '../../base/kernel/schemas.ts';
import { hasControlCharacter } from '../../base/lib/names.rules.ts';

const most = { tags: 10, tag: 64, keys: 20, key: 40, value: 500, bytes: 4_096 } as const;

const tagText = z
  .string()
  .trim()
  .min(1)
  .max(most.tag)
  .refine((tag) => !tag.includes(',') && !hasControlCharacter(tag), {
    params: { code: 'invalid_string' },
    message: 'Must not contain commas or control characters',
  })
  .register(logged, { as: 'text' });

/** A tag that emails are looked for by. */
export const tagFilter = notGiven(tagText);

/** Duplicates are folded before the limit counts. */
export const tagsInput = z
  .array(tagText)
  .min(1)
  .transform((tags, ctx) => {
    const different = [...new Set(tags)];
    if (different.length > most.tags) {
      reporter(ctx)([], 'too_big', `At most ${most.tags} tags`);
      return z.NEVER;
    }
    return different;
  });

const metadataKey = /^[A-Za-z0-9_.-]{1,40}$/;

export const metadataInput = z
  .record(z.string(), z.unknown())
  .meta({
    maxProperties: most.keys,
    propertyNames: { pattern: metadataKey.source },
    additionalProperties: {
      anyOf: [{ type: 'string', maxLength: most.value }, { type: 'number' }, { type: 'boolean' }],
    },
  })
  .transform((given, ctx): Record<string, string> => {
    const report = reporter(ctx);
    const entries = Object.entries(given);
    if (entries.length > most.keys) {
      report([], 'too_big', `At most ${most.keys} keys`);
      return z.NEVER;
    }
    const stored = entries.map(([key, value]): [string, string] => {
      const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
      const text = isScalar ? String(value) : '';
      if (!metadataKey.test(key)) {
        report(
          [key],
          'invalid_string',
          'A key has 1 to 40 of the characters A-Z, a-z, 0-9, "_", "." and "-"',
        );
      } else if (!isScalar)
        report([key], 'invalid_type', 'Expected a string, a number or a boolean', typeof value);
      else if (text.length > most.value) report([key], 'too_big', `At most ${most.value} characters`);
      // Also of a submitted message, whose JSON no other door has read.
      else if (text.includes('\0') || !text.isWellFormed())
        report([key], 'custom', 'Must not contain U+0000 or an unpaired surrogate');
      return [key, text];
    });
    const metadata = Object.fromEntries(stored);
    if (byteLength(JSON.stringify(metadata)) > most.bytes)
      report([], 'too_big', `At most ${most.bytes / 1_024} KB in total`);
    return metadata;
  });

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

/** A pair of metadata that emails are looked for by, split at the first colon. */
export const metadataFilter = notGiven(
  z
    .string()
    .max(most.key + 1 + most.value)
    .refine((pair) => metadataKey.test(pair.slice(0, Math.max(0, pair.indexOf(':')))), {
      params: { as: 'BAD_REQUEST' },
      message: 'metadata must be key:value',
    }),
);

export const pairOf = (pair: string): Record<string, string> => ({
  [pair.slice(0, pair.indexOf(':'))]: pair.slice(pair.indexOf(':') + 1),
});
