import type { FilterTree } from '../../audience/segments/contract.ts';
import { countContactsThat } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import { readAudience, treesOfParts } from './audience-parts.rules.ts';
import { type CampaignAudience, liveAudience } from './campaign-audience.ts';

export interface PartCounts {
  included: number | null;
  excluded: number | null;
}

/** Of an audience that has no parts, or whose parts were not counted. */
export const noParts: PartCounts = { included: null, excluded: null };

/** How many contacts the included and the excluded part of an audience match, whatever their status. */
export async function countParts(
  db: Db,
  { projectId, audienceType, audienceCondition }: CampaignAudience,
): Promise<PartCounts> {
  if (audienceType !== 'FILTERED' || !audienceCondition) return noParts;
  const parts = readAudience(audienceCondition as FilterTree);
  if (!parts) return noParts;
  const { include, exclude } = treesOfParts(parts);
  const count = async (tree: FilterTree | null): Promise<number> => {
    const audience = tree
      ? { audienceType: 'FILTERED' as const, audienceCondition: tree }
      : { audienceType: 'ALL' as const };
    return countContactsThat(db, projectId, await liveAudience(db, projectId, audience));
  };
  return { included: await count(include), excluded: exclude ? await count(exclude) : 0 };
}
