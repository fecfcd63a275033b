import { fileCacheControl } from '@postrider/core/base/kernel';
import {
  deleteUpload,
  imageLimitBytes,
  imageTooLarge,
  listUploads,
  servedImage,
  uploadImage,
} from '@postrider/core/content/uploads';
import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { openFormScope } from './form-scope.ts';
import { mount } from './mount.ts';

/** The form as the API reference shows it. */
const form = z
  .object({
    image: z.file().meta({
      description: 'The image, at most 10 MB: JPEG, PNG, GIF or WebP.',
      examples: ['GIF89a…'],
    }),
  })
  .describe('A form with one image.');

export function mountUploads(door: RestDoor): void {
  openFormScope(door, {
    fileSize: imageLimitBytes,
    tooLarge: imageTooLarge,
    inputOf({ files }) {
      const file = files.find(({ field }) => field === 'image');
      return file
        ? { image: file.bytes, filename: nameOf(file.filename), contentType: file.contentType }
        : {};
    },
    mountIn: (scope) => mount(scope, 'POST', '/uploads/image', uploadImage, { status: 201, form }),
  });
  mount(door, 'GET', '/uploads', listUploads);
  mount(door, 'DELETE', '/uploads/:id', deleteUpload, { status: 204 });
  // Not in the API reference: addresses come from the reply above.
  door.app.get<{ Params: { key: string } }>('/uploads/:key', async (request, reply) => {
    const image = await servedImage(door.services, request.params.key);
    if (!image) return reply.callNotFound();
    return reply
      .header('content-type', image.contentType)
      .header('cache-control', fileCacheControl)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(image.bytes);
  });
}

const longestName = 255;

/** The list of images shows the name; its end is the part that tells images apart. */
const nameOf = (filename: string | undefined): string | undefined =>
  filename === undefined || filename === '' ? undefined : filename.slice(-longestName);
