import { createDomain, deleteDomain, listDomains, verifyDomain } from '@postrider/core/domains';
import { asMutation, asQuery, t } from './trpc.ts';

export const domainsRouter = t.router({
  list: asQuery(listDomains),
  create: asMutation(createDomain),
  verify: asMutation(verifyDomain),
  delete: asMutation(deleteDomain),
});
