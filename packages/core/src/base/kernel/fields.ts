import { z } from 'zod';
import { formerAddress, isBlankText, longestAddress, normalizeAddress } from '../lib/addresses.rules.ts';
import { bareDayOf, instantOf } from '../lib/dates.rules.ts';
import type { MailboxProblem } from '../lib/mailboxes.rules.ts';
import { hasControlCharacter, nameText } from '../lib/names.rules.ts';
import type { PeriodBound } from '../lib/periods.rules.ts';
import { timeZoneOf } from '../lib/time-zones.rules.ts';
import { typeNameOf, typeNames } from './type-names.ts';

export {
  addressPartsSought,
  addressSought,
  formerSpellings,
  normalizeAddress,
  unicodeDomain,
} from '../lib/addresses.rules.ts';
export { longestMailbox, readAddressCell, readMailbox, splitMailboxes } from '../lib/mailboxes.rules.ts';

/**
 * Building blocks of input and output schemas, safe for the browser. `params.code` of a custom issue is the field code
 * that callers see (behaviour B7.1); `params.as = 'BAD_REQUEST'` makes the whole request a 400.
 */

const accepted = new WeakMap<object, z.ZodType>();

/** Names the form of a value that a schema reads by hand or passes on; the API reference shows that instead. */
export function accepting<Schema extends z.ZodType>(schema: Schema, accepts: z.ZodType): Schema {
  accepted.set(schema, accepts);
  return schema;
}

/** @see accepting; described copies of a schema accept the same */
export function acceptedBy(schema: z.ZodType): z.ZodType | undefined {
  const own = accepted.get(schema);
  const { parent } = schema._zod;
  return own ?? (parent === undefined ? undefined : acceptedBy(parent as z.ZodType));
}

const fieldsBy = new WeakMap<object, z.ZodType>();

/**
 * Names the fields of a value that a schema reads by hand, or of an object that reads more than it describes. Others are unknown
 * fields (behaviour B1.1); the API reference does not show it.
 */
export function withFieldsOf<Schema extends z.ZodType>(fields: z.ZodType, schema: Schema): Schema {
  fieldsBy.set(schema, fields);
  return schema;
}

/** @see withFieldsOf; described copies of a schema have the same fields */
export function fieldsReadBy(schema: z.ZodType): z.ZodType | undefined {
  const own = fieldsBy.get(schema);
  const { parent } = schema._zod;
  return own ?? (parent === undefined ? undefined : fieldsReadBy(parent as z.ZodType));
}

const judgedBy = new WeakMap<object, z.ZodType>();

/**
 * A value that the operation itself judges, as one of several whose mistakes do not concern the others: here everything is accepted. The API
 * reference and GraphQL show the form.
 */
export function judgedLater(form: z.ZodType): z.ZodType<unknown> {
  const schema = accepting(z.unknown(), acceptedBy(form) ?? form);
  judgedBy.set(schema, form);
  return schema;
}

/** @see judgedLater */
export const formJudgedLater = (schema: object): z.ZodType | undefined => judgedBy.get(schema);

/** A string that must not be empty after trimming. */
export const requiredText = (max: number) =>
  z
    .string()
    .trim()
    .refine((value) => value !== '', { params: { code: 'required' }, message: 'Required', abort: true })
    .refine((value) => value.length <= max, {
      params: { code: 'too_big' },
      message: `At most ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' });

/** The name of a record: stored as `nameText` makes it. */
export const requiredName = (max: number) =>
  z
    .string()
    .overwrite(nameText)
    .refine((name) => !isBlankText(name), { params: { code: 'required' }, message: 'Required', abort: true })
    .refine((name) => name.length <= max, {
      params: { code: 'too_big' },
      message: `At most ${max} characters`,
    })
    .refine((name) => !hasControlCharacter(name), {
      params: { code: 'custom' },
      message: 'Must not contain control characters',
      abort: true,
    })
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' });

export const optionalText = (max: number) => notGiven(z.string().trim().max(max));

/** null counts as "not given" (behaviour B1.1). */
export const notGiven = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** For updates of a nullable field: absent keeps the value, null clears it. */
export const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

/**
 * An address that mail may be sent from. Besides every email address, this is the sandbox sender of an installation whose host
 * has no dot, such as `sandbox@localhost` (behaviour B11.4).
 *
 * @returns its normal form; null for what is no such address
 */
export const normalizeSender = (given: string): string | null =>
  normalizeAddress(given) ?? (sandboxSender.test(given.trim()) ? formerAddress(given) : null);

const sandboxSender = /^sandbox@[a-z0-9-]{1,63}$/i;

type Normalize = (given: string) => string | null;

/** How a text that is not one mailbox is refused, as a field code and its message. */
export const mailboxProblems = {
  missing: { code: 'required', message: 'Required' },
  several: { code: 'invalid_string', message: 'Only one address' },
  malformed: { code: 'invalid_string', message: 'Invalid email address' },
} as const satisfies Record<MailboxProblem, { code: string; message: string }>;

/** A transformation of a schema to the normal form of an address. */
export const toAddress =
  (normalize: Normalize) =>
  (given: string, ctx: z.core.$RefinementCtx): string => {
    const found = normalize(given);
    if (found !== null) return found;
    const { code, message } = mailboxProblems[isBlankText(given) ? 'missing' : 'malformed'];
    ctx.addIssue({ code: 'custom', params: { code }, message, input: given });
    return z.NEVER;
  };

/** An address alone. */
export const emailAddress = z
  .string()
  .transform(toAddress(normalizeAddress))
  .meta({ format: 'email', maxLength: longestAddress });

/** How a URL of a request is refused. */
export const httpUrlMessage =
  'Must be an http or https URL without blanks, control characters or a user name';

/** An address that requests are sent to. What a URL's reader would leave out or hide is refused: blanks, control characters, a user part. */
export function isHttpUrl(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return url.hostname !== '' && url.username === '' && url.password === '';
}

/** The id of a record, in replies. */
export const recordId = z.guid();

/** A stored email address, in replies. */
export const addressText = z.string().meta({ format: 'email' });

/** An id in a request, in either case. */
export const uuid = z.guid().transform((value) => value.toLowerCase());

/** Rows hold Dates; replies use ISO 8601 in UTC with milliseconds (behaviour B1.1). */
export const isoDate = z
  .union([z.date(), z.string()])
  .transform((value) => (typeof value === 'string' ? value : value.toISOString()))
  .pipe(z.iso.datetime());

type EnumOf<Value extends string> = z.ZodEnum<{ [Word in Value]: Word }>;

/** The same schema name for another spelling of an enum. */
const nameLike = <Schema extends z.ZodType>(schema: Schema, named: z.ZodType): Schema => {
  const name = typeNameOf(named);
  if (name !== undefined) typeNames.add(schema, { name });
  return schema;
};

/** A required enum: an empty string counts as missing (behaviour B7.1). */
export const requiredEnum = <Value extends string>(schema: EnumOf<Value>): EnumOf<Value> =>
  nameLike(
    z.enum(schema.enum, { error: ({ input }) => (input === '' ? requiredMessage : undefined) }),
    schema,
  );

/** The message of a missing required field; it also distinguishes an empty enum value from an unknown one. */
export const requiredMessage = 'Required';

/** An enum filter in a query: an unknown value is 400, not 422. */
export const filterEnum = <Value extends string>(name: string, schema: EnumOf<Value>) => {
  const values: readonly string[] = schema.options;
  const filter = z
    .string()
    .refine((value): value is Value => values.includes(value), {
      params: { as: 'BAD_REQUEST' },
      message: `${name} must be one of ${values.join(', ')}`,
    })
    .meta({ enum: [...values] }) as unknown as z.ZodType<Value, string>;
  return notGiven(nameLike(filter, schema));
};

/** A sort column or direction: an unknown value falls back to the default. */
export const sortEnum = <Value extends string>(schema: EnumOf<Value>, fallback: NoInfer<Value>) => {
  const values: readonly unknown[] = schema.options;
  return z.preprocess(
    (value) => (values.includes(value) ? value : fallback),
    schema.default(fallback as never),
  );
};

/** `true` or `false` as query text or as a boolean; anything else is 400. */
export const queryBoolean = (name: string) =>
  notGiven(
    z
      .union([z.boolean(), z.string()])
      .refine((value) => value === true || value === false || value === 'true' || value === 'false', {
        params: { as: 'BAD_REQUEST' },
        message: `${name} must be true or false`,
      })
      .meta({ type: 'boolean' })
      .transform((value) => value === true || value === 'true'),
  );

/** A whole number in a query: clamped to its range; another value gives the default, and an object is refused. */
export const clampedInt = (fallback: number, min: number, max: number) => {
  const clamped = z.preprocess((value) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'object' && number !== null && !Array.isArray(number)) return number;
    if (typeof number !== 'number' || !Number.isInteger(number)) return fallback;
    return Math.min(max, Math.max(min, number));
  }, z.int().min(min).max(max).default(fallback));
  // No bound that would be enforced: what is out of range is clamped.
  return accepting(clamped, z.int().default(fallback));
};

const dateInput = z.union([z.string(), z.number(), z.date()]).meta({ type: 'string', format: 'date-time' });

const givenDate = (value: string | number | Date): string | number =>
  value instanceof Date ? value.getTime() : typeof value === 'string' ? value.trim() : value;

/** A date in a query or body: ISO 8601, in UTC unless it has a zone, or epoch milliseconds as a number. */
export const instant = dateInput.transform((value, ctx) => {
  const date = instantOf(givenDate(value));
  if (date) return date;
  ctx.addIssue({ code: 'custom', params: { code: 'invalid_date' }, message: 'Not a date', input: value });
  return z.NEVER;
});

/** One end of a period: as `instant`, but a day without a time stays a day, whose hours depend on the zone of the project. */
export const periodBound = dateInput.transform((value, ctx): PeriodBound => {
  const given = givenDate(value);
  const bound = bareDayOf(given) ?? instantOf(given);
  if (bound !== null) return bound;
  ctx.addIssue({ code: 'custom', params: { code: 'invalid_date' }, message: 'Not a date', input: value });
  return z.NEVER;
});

/** The IANA name of a time zone. */
export const timeZone = z
  .string()
  .transform((name, ctx) => {
    const zone = timeZoneOf(name);
    if (zone !== null) return zone;
    ctx.addIssue({
      code: 'custom',
      params: { code: 'invalid_timezone' },
      message: 'Not an IANA time zone',
      input: name,
    });
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['Europe/Berlin'] });

export const referrer = z
  .object({
    id: recordId.describe('Id of the record.'),
    name: z.string().meta({ description: 'Its name.', examples: ['Trial users'] }),
  })
  .meta({ 'x-name': 'Referrer' });

/** Who refers to a field or an event. */
export const references = {
  usedInSegments: z.array(referrer).describe('Segments whose condition names it.'),
  usedInCampaigns: z.array(referrer).describe('Open campaigns whose audience or texts name it.'),
  usedInWorkflows: z
    .array(referrer)
    .describe('Workflows that name it in their trigger, goals, exit rules, steps or texts.'),
};

export const emptyObject = z.object({});

/** Input for loading many records at once; ids that are not in the project are left out of the result. */
export const idList = z.object({
  ids: z.array(uuid).max(1000).describe('Ids of the records, at most 1,000.'),
});
