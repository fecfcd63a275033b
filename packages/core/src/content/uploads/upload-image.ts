import { randomBytes } from 'node:crypto';
import { AppError, badRequest, command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { imageKindOf, imageKinds, isImageType } from './image-kind.rules.ts';
import { imageSizeOf } from './image-size.rules.ts';
import { imageLimitBytes, uploadedImage, uploadImageInput } from './uploads.schema.ts';
import { insertUpload } from './uploads.store.ts';

export const uploadImage = command({
  name: 'uploads.image',
  summary: 'Stores an image for emails and returns its public address',
  permission: 'data:write',
  risk: 'none',
  outside: true,
  errors: [
    'BAD_REQUEST',
    'FORBIDDEN',
    { code: 'INTERNAL_SERVER_ERROR', kind: 'unavailable' },
    { code: 'INVALID_REQUEST_BODY', kind: 'too_large' },
  ],
  input: uploadImageInput,
  output: uploadedImage,
  async prepare(ctx, { image, filename, contentType: declared }) {
    if (!image || image.length === 0)
      throw badRequest('No image was sent', { suggestion: 'Send the file in the form field "image"' });
    if (image.length > imageLimitBytes) throw imageTooLarge();
    const bytes = Buffer.from(image);
    const contentType = imageKindOf(bytes);
    if (!contentType || (declared !== undefined && !isImageType(declared))) {
      throw badRequest('Only JPEG, PNG, GIF and WebP images can be uploaded');
    }
    const { files } = ctx.services;
    await assertStorage(ctx.services, projectIdOf(ctx), bytes.length);
    if (await files.isLow()) throw diskLow();
    const key = `${randomBytes(16).toString('hex')}.${imageKinds[contentType]}`;
    await files.put(key, bytes, contentType);
    const name = filename?.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() || key;
    const { width, height } = imageSizeOf(contentType, bytes) ?? { width: null, height: null };
    return { upload: { key, filename: name, contentType, size: bytes.length }, width, height };
  },
  async handler(ctx, _input, { upload, width, height }) {
    const id = newId();
    await insertUpload(ctx.db, { id, projectId: projectIdOf(ctx), ...upload, width, height });
    ctx.audit({ targetType: 'upload', targetId: id });
    return { ...upload, url: ctx.services.files.urlOf(upload.key) };
  },
});

export const imageTooLarge = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The image is larger than 10 MB', {
    kind: 'too_large',
    suggestion: 'Make the image smaller; email programs load large images slowly',
  });

const diskLow = (): AppError =>
  new AppError('INTERNAL_SERVER_ERROR', 'There is no room for images at the moment', { kind: 'unavailable' });
