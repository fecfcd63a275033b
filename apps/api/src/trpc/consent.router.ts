import { createWording, getWording, listWordings } from '@postrider/core/audience/consent';
import { getConsent, getConsentEvidence, listConsentActs } from '@postrider/core/audience/contacts';
import { asMutation, asQuery, t } from './trpc.ts';

export const consentRouter = t.router({
  get: asQuery(getConsent),
  list: asQuery(listConsentActs),
  evidence: asQuery(getConsentEvidence),
});

export const wordingsRouter = t.router({
  create: asMutation(createWording),
  get: asQuery(getWording),
  list: asQuery(listWordings),
});
