import {
  createDomain,
  deleteDomain,
  getDomainHealth,
  listDomains,
  verifyDomain,
} from '@postrider/core/domains';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Domain = objectFromZod(createDomain.output);

queryField('domains', listDomains, [Domain], { leaveOut: ['projectId'] });
recordField('domainHealth', getDomainHealth, objectFromZod(getDomainHealth.output));
mutationField('createDomain', createDomain, Domain);
mutationField('verifyDomain', verifyDomain, Domain);
deletionField('deleteDomain', deleteDomain);
