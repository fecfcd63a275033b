import { z } from 'zod';
import { typeNames } from '../kernel/type-names.ts';

/** Largest image, in bytes: 10 MB. */
export const imageLimitBytes = 10 * 1_048_576;

/** A form carries bytes, the other doors base64. A missing image is refused by the operation, with the words of B4.14. */
export const uploadImageInput = z.object({
  image: z
    .union([z.base64().transform((text) => Buffer.from(text, 'base64')), z.instanceof(Uint8Array)])
    .optional()
    .meta({
      description: 'The image in base64, at most 10 MB: JPEG, PNG, GIF or WebP.',
      examples: ['R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
    }),
  filename: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Name of the file, for the list of images.', examples: ['logo.gif'] }),
  contentType: z
    .string()
    .optional()
    .meta({ description: 'Declared type of the image.', examples: ['image/gif'] }),
});

export const uploadedImage = z
  .object({
    url: z.string().meta({
      description: 'Public address, without authentication; it can be cached indefinitely.',
      examples: ['https://api.example.com/uploads/9f86d081884c7d659a2feaa0c55ad015.gif'],
    }),
    key: z.string().meta({
      description: 'Key of the file in the storage.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015.gif'],
    }),
    filename: z.string().meta({ description: 'Name of the uploaded file.', examples: ['logo.gif'] }),
    contentType: z.string().meta({ description: 'Type by the content.', examples: ['image/gif'] }),
    size: z
      .int()
      .min(1)
      .meta({ description: 'Size in bytes.', examples: [43] }),
  })
  .register(typeNames, { name: 'UploadedImage' });
