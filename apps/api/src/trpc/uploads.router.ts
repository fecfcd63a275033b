import { deleteUpload, listUploads, uploadImage } from '@postrider/core/content/uploads';
import { asMutation, asQuery, t } from './trpc.ts';

export const uploadsRouter = t.router({
  list: asQuery(listUploads),
  image: asMutation(uploadImage),
  delete: asMutation(deleteUpload),
});
