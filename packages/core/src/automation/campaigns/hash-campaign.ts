import { conditionsBehindEach, readsOfAudience } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import { sha256 } from '../../base/kernel/index.ts';
import { canonicalJson, type Whole } from '../../base/lib/index.ts';
import { contentOf } from '../../content/templates/index.ts';
import type { CampaignInput } from './campaigns.schema.ts';
import { setupOf } from './variants/present-test.ts';
import { type StoredTest, withoutDesigns } from './variants/variants.rules.ts';

/** What of a campaign decides who gets what: not its name and description, nor the design that its body was made from. */
export interface HashedFields
  extends Whole<
    Omit<CampaignInput, 'name' | 'description' | 'design' | 'topic' | 'pace' | 'audienceCondition' | 'test'>
  > {
  topicId: string | null;
  perHour: number | null;
  careful: boolean;
  audienceCondition: object | null;
  test: StoredTest | null;
}

/** A campaign, stored or about to be. */
export type HashedCampaign = Omit<HashedFields, 'audienceCondition' | 'utm' | 'test'> & {
  audienceCondition: unknown;
  utm: unknown;
  test: unknown;
};

export const hashedFieldsOf = (campaign: HashedCampaign): HashedFields => {
  const { topicId, templateId, exemptFromLimits, guard, perHour, careful, holdout, goalId } = campaign;
  const { audienceType, segmentId, audienceCondition } = campaign;
  const test = setupOf(campaign.test as StoredTest | null);
  return {
    ...contentOf(campaign),
    ...{ topicId, templateId, exemptFromLimits, guard, perHour, careful, holdout, goalId },
    utm: campaign.utm as HashedFields['utm'],
    test: test && withoutDesigns(test),
    ...{ audienceType, segmentId, audienceCondition: audienceCondition as object | null },
  };
};

/** One state of a campaign. */
interface CampaignState {
  /**
   * Names the state: it differs once the content, the sender, the audience or the condition of a segment behind that was changed. SHA-256 of
   * the canonical JSON, in hexadecimal.
   */
  hash: string;
  /** a digest of each field, by the name that it has in the API */
  digests: () => Record<string, string>;
}

/** The states of campaigns of one project, in their order. */
export async function statesOf(
  db: Db,
  projectId: string,
  campaigns: readonly HashedCampaign[],
): Promise<CampaignState[]> {
  const fields = campaigns.map(hashedFieldsOf);
  const conditions = await conditionsBehindEach(db, projectId, fields.map(readsOfAudience));
  return fields.map((each, index) => {
    const state = { ...each, segments: conditions[index] ?? [] };
    return { hash: hashOf(state), digests: () => digestsOf(state) };
  });
}

export async function stateOf(db: Db, projectId: string, campaign: HashedCampaign): Promise<CampaignState> {
  const [state] = await statesOf(db, projectId, [campaign]);
  if (!state) throw new Error('a campaign has no state');
  return state;
}

const hashOf = (value: unknown): string => sha256(canonicalJson(value)).toString('hex');

const apiNames: Readonly<Record<string, string>> = { topicId: 'topic', perHour: 'pace', careful: 'pace' };

function digestsOf(state: object): Record<string, string> {
  const named = Map.groupBy(Object.entries(state), ([name]) => apiNames[name] ?? name);
  return Object.fromEntries(
    [...named].map(([name, values]) => [name, hashOf(values.map(([, value]) => value)).slice(0, 16)]),
  );
}

/** Whether two campaigns would send the same to the same people, whatever becomes of the segments. */
export const isSame = (one: HashedCampaign, other: HashedCampaign): boolean =>
  canonicalJson(hashedFieldsOf(one)) === canonicalJson(hashedFieldsOf(other));
