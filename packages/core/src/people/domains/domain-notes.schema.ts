import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  namedEnum,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';

/** Notes of one domain that are kept: the newest (behaviour B11.7). */
export const mostNotes = 50;
/** Days after which a note is removed. */
export const noteKeptDays = 30;

/** The addresses that every domain has (RFC 2142), and that of feedback loops. */
export const noteAddresses = ['postmaster', 'abuse', 'fbl'] as const;

export const listNotesInput = z.object({ id: uuid.describe('Id of the domain.'), ...cursorQuery });

export const domainNote = z
  .object({
    id: recordId.describe('Id of the note.'),
    at: isoDate.describe('When it arrived.'),
    to: namedEnum('DomainNoteTo', noteAddresses).describe(
      'The address at `bounces.<domain>` that it was sent to.',
    ),
    from: z
      .string()
      .nullable()
      .meta({
        description: 'Address in its From field; null without one.',
        examples: ['reader@example.com'],
      }),
    subject: z
      .string()
      .nullable()
      .meta({ description: 'Its subject; null without one.', examples: ['Spam from your domain'] }),
    text: z.string().meta({ description: 'Its first 2,000 characters.', examples: ['Please stop.'] }),
  })
  .register(typeNames, { name: 'DomainNote' });

export const domainNoteList = cursorListOf(domainNote);
