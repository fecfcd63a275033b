import { z } from 'zod';
import { uuid } from '../../base/kernel/schemas.ts';

/** What the search of the dashboard finds, in the order in which it is shown. */
export const searchableTypes = ['contact', 'campaign', 'template', 'workflow', 'segment', 'email'] as const;
export type SearchableType = (typeof searchableTypes)[number];

/** The longest address; names are shorter. */
const longestText = 254;

export const searchInput = z.object({
  text: z
    .string()
    .trim()
    .min(1)
    .max(longestText)
    .describe(
      'Part of a name or subject, or the beginning of an address or of a word of the name of a contact, in any case',
    ),
});

export const searchResults = z.object({
  results: z
    .array(
      z.object({
        type: z.enum(searchableTypes).describe('What was found'),
        id: uuid.describe('Id of the record'),
        title: z.string().describe('Name of the record, or address of a contact or recipient'),
        detail: z
          .string()
          .nullable()
          .describe(
            'Name of a contact, if it has one, status of a campaign, subject of a template or email; null for other records',
          ),
      }),
    )
    .describe('At most five records of each type'),
});
