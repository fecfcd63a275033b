import {
  addSuppressions,
  deleteSuppression,
  getSuppression,
  listSuppressions,
  removeSuppressions,
} from '@postrider/core/audience/contacts';
import { builder } from './builder.ts';
import { mutationField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Suppression = objectFromZod(listSuppressions.output.shape.data.element);
const AddedSuppressions = objectFromZod(addSuppressions.output);
const RemovedSuppressions = objectFromZod(removeSuppressions.output);

/** Suppressions have no id; in a cursor the address is the sort value. */
const noId = '00000000-0000-0000-0000-000000000000';

connectionField(
  'suppressions',
  listSuppressions,
  Suppression,
  ({ createdAt, email }) => `${createdAt} ${email}`,
  () => noId,
);
recordField('suppression', getSuppression, Suppression);
mutationField('addSuppressions', addSuppressions, AddedSuppressions);
mutationField('removeSuppressions', removeSuppressions, RemovedSuppressions);
builder.mutationField('deleteSuppression', (t) =>
  t.string({
    description: `${deleteSuppression.summary}. Returns the address.`,
    extensions: { operation: deleteSuppression.name },
    args: { email: t.arg.string({ required: true, description: 'The address.' }) },
    resolve: async (_root, { email }, { ctx }) => {
      await deleteSuppression.run(ctx, { email });
      return email;
    },
  }),
);
