import { z } from 'zod';
import { isoDate, typeNames } from '../kernel/schemas.ts';

/** Persisted documents of a project. */
export const maxDocuments = 1_000;

const idText = {
  description: '`sha256:` and the SHA-256 of the document in hex, which any program can compute.',
  examples: ['sha256:9b2c7f0d3a1e4c5b6d7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5'],
};

export const documentId = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'Must be sha256: and 64 lower-case hex characters')
  .meta(idText);

export const persistDocumentsInput = z.object({
  documents: z
    .array(
      z
        .string()
        .min(1)
        .max(100 * 1024),
    )
    .min(1)
    .max(100)
    .meta({
      description: 'The documents, 1 to 100, each at most 100 KB. Known ones stay as they are.',
      examples: [['query Contact($id: ID!) { contact(id: $id) { email } }']],
    }),
});

const persistedDocument = z
  .object({
    id: z.string().meta(idText),
    document: z.string().meta({
      description: 'The document.',
      examples: ['query Contact($id: ID!) { contact(id: $id) { email } }'],
    }),
    createdAt: isoDate.describe('When it was stored.'),
  })
  .describe('A GraphQL document that requests may name instead of sending it.')
  .register(typeNames, { name: 'PersistedDocument' });

export const persistedDocuments = z.array(persistedDocument);

export const documentIdInput = z.object({ id: documentId });
