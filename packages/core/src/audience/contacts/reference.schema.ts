import { z } from 'zod';
import { normalizeAddress, notGiven, uuid } from '../../base/kernel/schemas.ts';
import { externalIdProblem } from './contacts.rules.ts';

/** How a request names a contact (behaviour B4.5). */
export interface ContactReference {
  by: 'id' | 'email' | 'externalId';
  /** in its stored form */
  value: string;
}

const externalPrefix = 'ext:';

/** Reads a reference: a UUID, an address, or `ext:` and an external id. @returns null for any other text */
function readReference(given: string): ContactReference | null {
  const text = given.trim();
  if (text.startsWith(externalPrefix)) {
    const value = text.slice(externalPrefix.length).trim();
    return externalIdProblem(value) === null ? { by: 'externalId', value } : null;
  }
  const id = uuid.safeParse(text);
  if (id.success) return { by: 'id', value: id.data };
  const email = text.includes('@') ? normalizeAddress(text) : null;
  return email === null ? null : { by: 'email', value: email };
}

/** A contact in a request. An unknown one is for the operation to decide about. */
export const contactReference = z.string().transform((given, ctx): ContactReference => {
  const reference = readReference(given);
  if (reference) return reference;
  ctx.addIssue({
    code: 'custom',
    params: { code: given.trim() === '' ? 'required' : 'invalid_string' },
    message: 'Expected the id of a contact, its email address, or ext: and its external id',
    input: given,
  });
  return z.NEVER;
});

const forms = 'its id, its email address, or `ext:` and its external id, URL-encoded';

export const contactIdText = (what: string): { description: string; examples: string[] } => ({
  description: `${what}: ${forms}.`,
  examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
});

/** A filter of a list. An unknown contact has nothing, so its list is empty. */
export const contactFilter = (what: string) => notGiven(contactReference).meta(contactIdText(what));
