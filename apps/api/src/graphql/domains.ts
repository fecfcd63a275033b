import { createDomain, deleteDomain, listDomains, verifyDomain } from '@postrider/core/domains';
import { builder } from './builder.ts';
import { mutationField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const Domain = objectFromZod(createDomain.output, 'Domain');

builder.queryField('domains', (t) =>
  t.field({
    type: [Domain],
    description: listDomains.summary,
    extensions: { operation: listDomains.name },
    resolve: (_root, _args, { ctx }) => listDomains.run(ctx, {}),
  }),
);
mutationField('createDomain', createDomain, Domain);
mutationField('verifyDomain', verifyDomain, Domain);
builder.mutationField('deleteDomain', (t) =>
  t.id({
    description: `${deleteDomain.summary} Answers the id.`,
    extensions: { operation: deleteDomain.name },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { ctx }) => {
      await deleteDomain.run(ctx, { id });
      return id;
    },
  }),
);
