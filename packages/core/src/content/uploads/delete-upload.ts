import { AppError, command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { uploadIdInput } from './uploads.schema.ts';
import { findUpload, removeUpload } from './uploads.store.ts';

export const deleteUpload = command({
  name: 'uploads.delete',
  summary: 'Deletes an uploaded image; emails that show it, also sent ones, show it no more',
  permission: 'data:write',
  risk: 'large',
  outside: true,
  errors: ['RESOURCE_NOT_FOUND'],
  input: uploadIdInput,
  output: emptyObject,
  /** The file goes first: if the rest fails, the image is still listed and can be deleted again. */
  async prepare(ctx, { id }) {
    const upload = await findUpload(ctx.db, projectIdOf(ctx), id);
    if (!upload) throw new AppError('RESOURCE_NOT_FOUND', 'Image not found');
    await ctx.services.files.remove(upload.key);
    return upload.filename;
  },
  async handler(ctx, { id }, name) {
    await removeUpload(ctx.db, projectIdOf(ctx), id);
    ctx.audit({ targetType: 'upload', targetId: id, name });
    return {};
  },
});
