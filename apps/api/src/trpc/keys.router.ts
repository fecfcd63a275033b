import { createKey, deleteKey, listKeys } from '@postrider/core/people/keys';
import { asMutation, asQuery, t } from './trpc.ts';

export const keysRouter = t.router({
  list: asQuery(listKeys),
  create: asMutation(createKey),
  delete: asMutation(deleteKey),
});
