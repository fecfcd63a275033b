import { z } from 'zod';
import { givenChoices } from '../../../audience/consent/consent.schema.ts';
import {
  dataLimitBytes,
  isListChange,
  isTooLarge,
  maxKeyLength,
  readItems,
} from '../../../audience/contacts/contacts.rules.ts';
import { notGiven, withFieldsOf } from '../../../base/kernel/schemas.ts';
import { reservedDataKeys } from '../../../base/lib/data-values.rules.ts';
import { defineStep } from './step.rules.ts';

export const updatedKey = z
  .string()
  .refine((key) => key.length >= 1 && key.length <= maxKeyLength && !/\p{Cc}/u.test(key), {
    params: { code: 'custom' },
    message: `A key of data must have 1 to ${maxKeyLength} characters and no control characters`,
  })
  .meta({ minLength: 1, maxLength: maxKeyLength });

/** Lists and changes of lists are stored if the field is defined as one by then. */
const updatedValue = z
  .unknown()
  .refine((value) => value === null || typeof value !== 'object' || isListValue(value), {
    params: { code: 'invalid_type' },
    message: 'Only strings, numbers, booleans, null, and lists of strings can be written to a contact',
  });

const isListValue = (value: unknown): boolean => {
  const lists = isListChange(value) ? [value.add ?? [], value.remove ?? []] : [value];
  return lists.every((list) => readItems(list) !== undefined);
};

const updateContactConfig = z
  .object({
    data: notGiven(
      z.record(updatedKey, updatedValue).refine((data) => !isTooLarge(JSON.stringify(data)), {
        params: { code: 'too_big' },
        message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
      }),
    ).meta({
      description:
        'Custom fields to write; null removes a field. Required unless the subscription or a topic changes.',
      examples: [{ plan: 'pro' }],
    }),
    subscriptionAction: notGiven(z.enum(['none', 'subscribe', 'unsubscribe'])).describe(
      'What happens to the subscription. Default `none`.',
    ),
    topics: givenChoices,
  })
  .refine(
    ({ data = {}, subscriptionAction = 'none', topics }) =>
      subscriptionAction !== 'none' ||
      topics !== undefined ||
      Object.entries(data).some(([key, value]) => value !== '' && !reservedDataKeys.has(key)),
    { path: ['data'], params: { code: 'required' }, message: 'Nothing would be updated' },
  );

/** `updates` is an alias of `data`. */
function readUpdates(config: unknown): unknown {
  if (typeof config !== 'object' || config === null) return config;
  const { data, updates } = config as { data?: unknown; updates?: unknown };
  return { ...config, data: data ?? updates };
}

/** Writes to the contact: fields of its data, its subscription and its choices of topics. */
export const updateContactStep = defineStep({
  type: 'UPDATE_CONTACT',
  label: 'Update contact',
  config: withFieldsOf(
    z.object({ ...updateContactConfig.shape, updates: z.unknown() }),
    z.preprocess(readUpdates, updateContactConfig),
  ),
  example: { data: { plan: 'pro', trial_ends: null }, subscriptionAction: 'none' },
  waysOut: { kind: 'one' },
  reads: ({ data = {}, subscriptionAction = 'none', topics = {} }) => [
    ...Object.keys(data).map((key) => `data.${key}`),
    ...(subscriptionAction === 'none' ? [] : ['subscribed']),
    ...Object.keys(topics).map((key) => `topic.${key}`),
  ],
  holdsTemplates: true,
});
