import { createDomain, deleteDomain, listDomains, verifyDomain } from '@postrider/core/domains';
import { deletionField, mutationField, queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const Domain = objectFromZod(createDomain.output);

queryField('domains', listDomains, [Domain], { leaveOut: ['projectId'] });
mutationField('createDomain', createDomain, Domain);
mutationField('verifyDomain', verifyDomain, Domain);
deletionField('deleteDomain', deleteDomain);
