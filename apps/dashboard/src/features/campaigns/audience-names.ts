import type { Campaign } from '../../lib/api.ts';

/** How the audience of a campaign is chosen, for lists and details. */
export const audienceNames: Readonly<Record<Campaign['audienceType'], string>> = {
  ALL: 'All contacts',
  SEGMENT: 'Segment',
  FILTERED: 'Filter',
};
