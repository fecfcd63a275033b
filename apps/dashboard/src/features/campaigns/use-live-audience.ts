import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type CampaignInput, useApi } from '../../lib/api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

const pauseMs = 500;

/** The part of a campaign that decides who receives it. */
export type AudienceChoice = Pick<
  CampaignInput,
  'audienceType' | 'segmentId' | 'audienceCondition' | 'type' | 'from'
>;

/** Counts the audience while it is edited, after a pause. @param choice null while it is not complete */
export function useLiveAudience(choice: AudienceChoice | null) {
  const settled = useDebounced(JSON.stringify(choice), pauseMs);
  const asked = JSON.parse(settled) as AudienceChoice | null;
  const audience = useQuery({
    ...useApi().campaigns.previewAudience.queryOptions(asked ?? { audienceType: 'ALL' }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    // Counting is expensive in a large project, so it is not repeated on every window focus.
    refetchOnWindowFocus: false,
  });
  return {
    data: choice === null ? undefined : audience.data,
    error: choice === null ? null : audience.error,
    isCounting: audience.isFetching || settled !== JSON.stringify(choice),
    refetch: audience.refetch,
  };
}
