import { z } from 'zod';
import { dataLimitBytes, isTooLarge } from '../contacts/contacts.rules.ts';
import { eventName } from '../events/events.schema.ts';
import { reservedDataKeys } from '../kernel/data-values.rules.ts';
import {
  clearable,
  instantOf,
  isEmailAddress,
  namedEnum,
  normalizeAddress,
  notGiven,
  requiredText,
  uuid,
} from '../kernel/schemas.ts';

/** Configurations of steps (behaviour B2.7): pure, so that the dashboard refuses in place what the service would refuse. */

export const stepType = namedEnum('StepType', [
  'TRIGGER',
  'SEND_EMAIL',
  'DELAY',
  'WAIT_FOR_EVENT',
  'CONDITION',
  'WEBHOOK',
  'UPDATE_CONTACT',
  'EXIT',
]);

export type StepType = z.output<typeof stepType>;

export const delayUnits = ['minutes', 'hours', 'days'] as const;
export const webhookMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const conditionOperators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'exists',
  'notExists',
] as const;

export type ConditionOperator = (typeof conditionOperators)[number];

const millisecondsOf = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const yearInMs = 365 * millisecondsOf.days;

/** How long a DELAY takes, in milliseconds. */
export const delayMs = ({ amount, unit }: { amount: number; unit: (typeof delayUnits)[number] }): number =>
  amount * millisecondsOf[unit];

/** Whether a text is filled in at the step, so that its final form is not known when it is saved. */
export const hasTemplateTags = (text: string): boolean => /\{\{|\{%/.test(text);

const triggerConfig = z.object({ eventName: notGiven(eventName) });

const customEmail = z
  .string()
  .trim()
  .max(1_000)
  .transform((text) => (hasTemplateTags(text) ? text : normalizeAddress(text)))
  .refine((text) => text !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .refine((text) => hasTemplateTags(text) || isEmailAddress(text), {
    params: { code: 'invalid_string' },
    message: 'Invalid email address',
  });

const recipient = z
  .object({ type: z.enum(['CONTACT', 'CUSTOM']), customEmail: notGiven(customEmail) })
  .refine(({ type, customEmail }) => type === 'CONTACT' || customEmail !== undefined, {
    path: ['customEmail'],
    params: { code: 'required' },
    message: 'Required',
  });

const sendEmailConfig = z.object({ recipient: notGiven(recipient), templateId: clearable(uuid) });

const delayConfig = z
  .object({ amount: z.int().positive(), unit: z.enum(delayUnits) })
  .refine((delay) => delayMs(delay) <= yearInMs, {
    path: ['amount'],
    params: { code: 'too_big' },
    message: 'At most 365 days',
  });

const waitConfig = z.object({
  eventName,
  timeout: notGiven(z.int().min(1).max(31_536_000)).describe('Seconds'),
});

const conditionFields =
  /^(contact\.(email|subscribed|createdAt|updatedAt)|(contact\.)?data\..+|(event|workflow)\..+)$/s;

const conditionField = requiredText(300).refine((field) => conditionFields.test(field), {
  params: { code: 'unsupported_field' },
  message: 'Must be a field of the contact, data.<key>, event.<path> or workflow.<path>',
});

const test = { operator: z.enum(conditionOperators), value: z.unknown().optional() };

type Comparison = { operator: ConditionOperator; value?: unknown };

/** null is a value, absent is not; `exists` and `notExists` need none. */
function checkValue(
  field: string,
  { operator, value }: Comparison,
): { code: string; message: string } | null {
  if (operator === 'exists' || operator === 'notExists') return null;
  if (value === undefined) return { code: 'required', message: 'Required' };
  if (!/^contact\.(createdAt|updatedAt)$/.test(field)) return null;
  return instantOf(value) ? null : { code: 'invalid_date', message: 'Not a date' };
}

const binaryCondition = z
  .object({ mode: notGiven(z.enum(['binary', 'multi'])), field: conditionField, ...test })
  .superRefine((condition, ctx) => {
    const wrong = checkValue(condition.field, condition);
    if (!wrong) return;
    const { code, message } = wrong;
    ctx.addIssue({ code: 'custom', path: ['value'], params: { code }, message, input: condition.value });
  });

const multiCondition = z
  .object({
    mode: z.literal('multi'),
    field: conditionField,
    branches: z
      .array(z.object({ id: requiredText(100), name: requiredText(100), ...test }))
      .min(1)
      .max(20),
  })
  .superRefine(({ field, branches }, ctx) => {
    branches.forEach((branch, index) => {
      const refuse = (key: 'id' | 'value', code: string, message: string) =>
        ctx.addIssue({
          code: 'custom',
          path: ['branches', index, key],
          params: { code },
          message,
          input: branch[key],
        });
      if (branch.id === 'default') refuse('id', 'custom', 'This id stands for "none of the others"');
      if (branches.findIndex(({ id }) => id === branch.id) < index)
        refuse('id', 'custom', 'Two branches have this id');
      const wrong = checkValue(field, branch);
      if (wrong) refuse('value', wrong.code, wrong.message);
    });
  });

/** A field name is a token of RFC 9110 5.6.2; a value must not break out of its line. */
const headerName = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { message: 'Not a header name' });
const headerValue = z
  .string()
  .max(2_000)
  .refine((value) => !/[\r\n]/.test(value), {
    params: { code: 'invalid_string' },
    message: 'Must not contain CR or LF',
  });

const webhookConfig = z.object({
  url: requiredText(2_000).refine((url) => hasTemplateTags(url) || isHttpUrl(url), {
    params: { code: 'invalid_string' },
    message: 'Must be an http or https URL',
  }),
  method: notGiven(z.enum(webhookMethods)),
  headers: notGiven(z.record(headerName, headerValue)),
  body: z.unknown().optional(),
});

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}

const updatedKey = z.string().refine((key) => key.length >= 1 && key.length <= 100 && !/\p{Cc}/u.test(key), {
  params: { code: 'custom' },
  message: 'A key of data has 1 to 100 characters and no control characters',
});

const updatedValue = z.unknown().refine((value) => value === null || typeof value !== 'object', {
  params: { code: 'invalid_type' },
  message: 'Only strings, numbers, booleans and null can be written to a contact',
});

const updateContactConfig = z.preprocess(
  readUpdates,
  z
    .object({
      data: notGiven(
        z.record(updatedKey, updatedValue).refine((data) => !isTooLarge(JSON.stringify(data)), {
          params: { code: 'too_big' },
          message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
        }),
      ),
      subscriptionAction: notGiven(z.enum(['none', 'subscribe', 'unsubscribe'])),
    })
    .refine(
      ({ data = {}, subscriptionAction = 'none' }) =>
        subscriptionAction !== 'none' ||
        Object.entries(data).some(([key, value]) => value !== '' && !reservedDataKeys.has(key)),
      { path: ['data'], params: { code: 'required' }, message: 'Nothing would be updated' },
    ),
);

/** `updates` is another name for `data`. */
function readUpdates(config: unknown): unknown {
  if (typeof config !== 'object' || config === null) return config;
  const { data, updates } = config as { data?: unknown; updates?: unknown };
  return { ...config, data: data ?? updates };
}

const exitConfig = z.object({ reason: notGiven(z.string().trim().max(200)) });

export type TriggerConfig = z.output<typeof triggerConfig>;
export type SendEmailConfig = Omit<z.output<typeof sendEmailConfig>, 'templateId'>;
export type DelayConfig = z.output<typeof delayConfig>;
export type WaitConfig = z.output<typeof waitConfig>;
export type BinaryCondition = z.output<typeof binaryCondition>;
export type MultiCondition = z.output<typeof multiCondition>;
export type ConditionConfig = BinaryCondition | MultiCondition;
export type WebhookConfig = z.output<typeof webhookConfig>;
export type UpdateContactConfig = z.output<typeof updateContactConfig>;
export type ExitConfig = z.output<typeof exitConfig>;

/** What a stored step's `config` is, by its type. */
export interface StepConfigs {
  TRIGGER: TriggerConfig;
  SEND_EMAIL: SendEmailConfig;
  DELAY: DelayConfig;
  WAIT_FOR_EVENT: WaitConfig;
  CONDITION: ConditionConfig;
  WEBHOOK: WebhookConfig;
  UPDATE_CONTACT: UpdateContactConfig;
  EXIT: ExitConfig;
}

export const isMultiCondition = (config: unknown): config is MultiCondition =>
  typeof config === 'object' && config !== null && (config as { mode?: unknown }).mode === 'multi';

/** The schema of a step's `config` as a caller may give it. A condition says by `mode` which of two shapes it has. */
export function stepConfigSchema(type: StepType, config: unknown): z.ZodType<Record<string, unknown>> {
  switch (type) {
    case 'TRIGGER':
      return triggerConfig;
    case 'SEND_EMAIL':
      return sendEmailConfig;
    case 'DELAY':
      return delayConfig;
    case 'WAIT_FOR_EVENT':
      return waitConfig;
    case 'CONDITION':
      return isMultiCondition(config) ? multiCondition : binaryCondition;
    case 'WEBHOOK':
      return webhookConfig;
    case 'UPDATE_CONTACT':
      return updateContactConfig;
    case 'EXIT':
      return exitConfig;
  }
}
