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
  const { data, error, isFetching, refetch } = useAudience(asked);
  return {
    data: choice === null ? undefined : data,
    error: choice === null ? null : error,
    isCounting: isFetching || settled !== JSON.stringify(choice),
    refetch,
  };
}

/**
 * The audience of a choice. In a large project an estimate comes first, and is replaced as soon as the contacts are counted.
 *
 * @param choice null: nothing is asked
 */
export function useAudience(choice: AudienceChoice | null) {
  const api = useApi();
  const input = choice ?? { audienceType: 'ALL' as const };
  const options = {
    placeholderData: keepPreviousData,
    // Counting is expensive in a large project, so it is not repeated on every window focus.
    refetchOnWindowFocus: false,
  };
  const first = useQuery({
    ...api.campaigns.previewAudience.queryOptions({ ...input, estimate: true }),
    ...options,
    enabled: choice !== null,
  });
  const isEstimated = first.data?.estimated === true && !first.isPlaceholderData;
  const counted = useQuery({
    ...api.campaigns.previewAudience.queryOptions(input),
    refetchOnWindowFocus: false,
    enabled: choice !== null && isEstimated,
  });
  const data = isEstimated ? (counted.data ?? first.data) : first.data;
  return {
    data,
    error: data ? null : first.error,
    isFetching: first.isFetching || counted.isFetching,
    refetch: () => (isEstimated ? counted.refetch() : first.refetch()),
  };
}
