import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Campaign, type CampaignInput, useApi } from '../../lib/api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

const pauseMs = 500;

/** The part of a campaign that decides who receives it. */
export type AudienceChoice = Pick<
  CampaignInput,
  'audienceType' | 'segmentId' | 'audienceCondition' | 'type' | 'topic' | 'from'
> & {
  /** of a stored campaign, whose family is then looked at */
  campaignId?: string | undefined;
};

/** What decides who receives a stored campaign. */
export const choiceOf = (campaign: Campaign): AudienceChoice => {
  const { id, audienceType, segmentId, audienceCondition, type, topic, from } = campaign;
  return { campaignId: id, audienceType, segmentId, audienceCondition, type, topic, from };
};

/** Counts the audience while it is edited, after a pause. @param choice null while it is not complete */
export function useLiveAudience(choice: AudienceChoice | null) {
  const settled = useDebounced(JSON.stringify(choice), pauseMs);
  const asked = JSON.parse(settled) as AudienceChoice | null;
  const { data, error, isFetching, refetch } = useAudience(asked);
  return {
    data: choice === null ? undefined : data,
    error: choice === null ? null : error,
    isCounting: isFetching || settled !== JSON.stringify(choice),
    refetch,
  };
}

/** A count is given again for as long, so nothing is gained by asking earlier. */
const freshMs = 30_000;

/**
 * The audience of a choice. In a large project an estimate comes first, and is replaced as soon as the contacts are counted (`isChanged`).
 *
 * @param choice null: nothing is asked
 */
export function useAudience(choice: AudienceChoice | null) {
  const { data, error, isFetching, refetch } = useQuery({
    ...useApi().campaigns.previewAudience.queryOptions({
      ...(choice ?? { audienceType: 'ALL' as const }),
      estimate: true,
    }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: freshMs,
    enabled: choice !== null,
  });
  return { data, error: data ? null : error, isFetching, refetch };
}
