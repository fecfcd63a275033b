import { listSourceRefs, removeSourceRef, setSourceRef } from '@postrider/core/content/source-refs';
import { asMutation, asQuery, t } from './trpc.ts';

export const sourceRefsRouter = t.router({
  list: asQuery(listSourceRefs),
  set: asMutation(setSourceRef),
  remove: asMutation(removeSourceRef),
});
