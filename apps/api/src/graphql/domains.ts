import {
  createDomain,
  deleteDomain,
  getDomain,
  getDomainHealth,
  listDomainNotes,
  listDomains,
  verifyDomain,
} from '@postrider/core/people/domains';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Domain = objectFromZod(createDomain.output);

recordField('domain', getDomain, Domain);
queryField('domains', listDomains, [Domain], { leaveOut: ['projectId'] });
recordField('domainHealth', getDomainHealth, objectFromZod(getDomainHealth.output));
connectionField(
  'domainNotes',
  listDomainNotes,
  objectFromZod(listDomainNotes.output.shape.data.element),
  ({ at }) => at,
);
mutationField('createDomain', createDomain, Domain);
mutationField('verifyDomain', verifyDomain, Domain);
deletionField('deleteDomain', deleteDomain);
