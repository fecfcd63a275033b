import {
  createDomain,
  deleteDomain,
  getDomainHealth,
  listDomainNotes,
  listDomains,
  verifyDomain,
} from '@postrider/core/people/domains';
import { asMutation, asQuery, t } from './trpc.ts';

export const domainsRouter = t.router({
  list: asQuery(listDomains),
  create: asMutation(createDomain),
  health: asQuery(getDomainHealth),
  listNotes: asQuery(listDomainNotes),
  verify: asMutation(verifyDomain),
  delete: asMutation(deleteDomain),
});
