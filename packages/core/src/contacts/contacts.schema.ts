import { z } from 'zod';
import {
  clearable,
  cursorListOf,
  cursorQuery,
  directionQuery,
  emailAddress,
  filterEnum,
  isoDate,
  namedEnum,
  notGiven,
  optionalText,
  queryBoolean,
  sortEnum,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { type DataMode, type SplitData, splitContactData } from './contacts.rules.ts';

/** For schemas of other areas, which may import only this from contacts. */
export type { SplitData } from './contacts.rules.ts';

/** A contact as callers see it (behaviour B2.1). */
export const contactShape = z
  .object({
    id: z.string(),
    email: z.string(),
    subscribed: z.boolean(),
    snoozedUntil: isoDate.nullable(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    projectId: z.string(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Contact' });

const noData: SplitData = { set: {}, unset: [], transient: {} };

/** Splits a caller's `data`; each problem becomes an issue at `data.<key>`, or at `data` when it is too large. */
export function readContactData(
  data: Record<string, unknown>,
  mode: DataMode,
  ctx: z.core.$RefinementCtx<Record<string, unknown>>,
): SplitData {
  const { issues, ...parts } = splitContactData(data, mode);
  for (const { path, code, message, input } of issues) {
    ctx.issues.push({ code: 'custom', params: { code }, path, message, input });
  }
  return parts;
}

/** `data` of a request, validated and split into values to store, to remove and to use once; absent and null give empty parts. */
export const contactData = (mode: DataMode) =>
  notGiven(
    z.record(z.string(), z.unknown()).transform((data, ctx) => readContactData(data, mode, ctx)),
  ).transform((parts) => parts ?? noData);

export const upsertContactInput = z.object({
  email: emailAddress,
  subscribed: notGiven(z.boolean()).describe(
    'Default true for a new contact; an existing one keeps its state',
  ),
  data: contactData('stored-only'),
});

export const upsertedContact = contactShape.extend({
  _meta: z.object({ isNew: z.boolean(), isUpdate: z.boolean() }),
});

export const getContactInput = z.object({ id: uuid });

export const updateContactInput = z.object({
  id: uuid,
  email: notGiven(emailAddress),
  subscribed: notGiven(z.boolean()),
  data: clearable(
    z.record(z.string(), z.unknown()).transform((data, ctx) => readContactData(data, 'stored-only', ctx)),
  ).describe('Merged key by key; a key that is null is removed, null for all of it clears all'),
});

export const lookupLimit = 500;

export const lookupInput = z.object({ emails: z.array(z.string()).min(1).max(lookupLimit) });

export const lookupResult = z
  .object({ found: z.array(z.string()), notFound: z.array(z.string()) })
  .register(typeNames, { name: 'ContactLookup' });

const contactStatus = namedEnum('ContactStatus', ['subscribed', 'snoozed', 'unsubscribed']);

export const listContactsInput = z.object({
  ...cursorQuery,
  search: optionalText(255).describe('Part of the address, in any case'),
  subscribed: queryBoolean('subscribed'),
  status: filterEnum('status', contactStatus).describe('Wins over `subscribed`'),
  sort: sortEnum(namedEnum('ContactSort', ['createdAt', 'email']), 'createdAt'),
  dir: directionQuery,
});

export const contactList = cursorListOf(contactShape);
