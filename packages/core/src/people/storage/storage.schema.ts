import { z } from 'zod';
import { uuid } from '../../base/kernel/schemas.ts';
import { typeNames } from '../../base/kernel/type-names.ts';

export const storageKinds = ['images', 'attachments', 'contents', 'templates', 'imports', 'exports'] as const;
export type StorageKind = (typeof storageKinds)[number];

export const storageInput = z.object({ id: uuid.describe('Id of the project.') });

const bytes = (description: string, example: number) =>
  // Not an integer of GraphQL, which ends at 2 GB.
  z
    .number()
    .min(0)
    .meta({ description, examples: [example] });

export const storageOutput = z
  .object({
    usedBytes: bytes('Bytes that the project has stored.', 48_200_000),
    owner: z
      .object({
        usedBytes: bytes(
          'Bytes in all projects of the owner; without a proven address, in all projects of such owners.',
          91_400_000,
        ),
        limitBytes: z
          .number()
          .nullable()
          .meta({ description: 'Their limit; null for none.', examples: [1_048_576_000] }),
      })
      .register(typeNames, { name: 'OwnerStorage' })
      .describe('What the limit of the owner counts.'),
    byKind: z
      .object({
        images: bytes('Images of emails.', 12_000_000),
        attachments: bytes('Attachments and submitted messages that are kept.', 8_000_000),
        contents: bytes('Subjects and bodies of emails.', 20_000_000),
        templates: bytes('Templates with their versions, campaigns and saved blocks.', 3_200_000),
        imports: bytes('Files of imports, and the rows that they did not take.', 1_000_000),
        exports: bytes('Files of exports.', 4_000_000),
      })
      .register(typeNames, { name: 'StorageByKind' })
      .describe('The bytes of the project by what they are.'),
  })
  .register(typeNames, { name: 'Storage' });
