import { z } from 'zod';
import { namedEnum, notGiven } from '../../../base/kernel/schemas.ts';
import { actList, consentEvidence, consentState, listActsFilter } from '../../consent/consent.schema.ts';
import { contactFilter, contactIdText, contactReference } from '../reference.schema.ts';

const contactId = contactReference.meta(contactIdText('The contact'));

export const consentOfContactInput = z.object({ id: contactId });
export const consentStateOutput = consentState;
export const actsOutput = actList;
export const evidenceOutput = consentEvidence;

export const listActsInput = listActsFilter.extend({
  contactId: contactFilter('Only acts of this contact'),
});

export const evidenceInput = z.object({
  id: contactId,
  format: notGiven(namedEnum('EvidenceFormat', ['json', 'html'])).describe(
    '`html` adds a page to print as `html`. Default `json`.',
  ),
});
