import { uploadImage } from '@postrider/core/uploads';
import { asMutation, t } from './trpc.ts';

export const uploadsRouter = t.router({ image: asMutation(uploadImage) });
