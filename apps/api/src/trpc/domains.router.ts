import {
  createDomain,
  deleteDomain,
  getDomainHealth,
  listDomains,
  verifyDomain,
} from '@postrider/core/people/domains';
import { asMutation, asQuery, t } from './trpc.ts';

export const domainsRouter = t.router({
  list: asQuery(listDomains),
  create: asMutation(createDomain),
  health: asQuery(getDomainHealth),
  verify: asMutation(verifyDomain),
  delete: asMutation(deleteDomain),
});
