import { addSuppressions, deleteSuppression, listSuppressions } from '@postrider/core/audience/contacts';
import { asMutation, asQuery, t } from './trpc.ts';

export const suppressionsRouter = t.router({
  list: asQuery(listSuppressions),
  add: asMutation(addSuppressions),
  delete: asMutation(deleteSuppression),
});
