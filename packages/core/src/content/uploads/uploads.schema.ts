import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  optionalText,
  recordId,
  uuid,
} from '../../base/kernel/schemas.ts';
import { typeNames } from '../../base/kernel/type-names.ts';

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

/** Null for images that were uploaded before sizes were recorded, and for malformed ones. */
const pixels = z.int().min(1).nullable();

/** An image in the list of images. */
export const image = z
  .object({
    id: recordId.describe('Id of the image.'),
    ...uploadedImage.shape,
    width: pixels.meta({ description: 'Width in pixels; null if it is unknown.', examples: [600] }),
    height: pixels.meta({ description: 'Height in pixels; null if it is unknown.', examples: [200] }),
    createdAt: isoDate.describe('When it was uploaded.'),
  })
  .describe('An uploaded image.')
  .register(typeNames, { name: 'Image' });

export const listUploadsInput = z.object({
  ...cursorQuery,
  search: optionalText(255).meta({
    description: 'Part of the file name, in any case. At most 255 characters.',
    examples: ['logo'],
  }),
});

export const uploadList = cursorListOf(image);

export const uploadIdInput = z.object({ id: uuid.describe('Id of the image.') });
