import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** The key of the pages of recipients, which show topics. */
export const recipientPagesKey = ['recipient-pages'] as const;

/** Refetches everything about topics after a change. */
export function useRefreshTopics(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(api.topics.pathFilter()),
      queryClient.invalidateQueries({ queryKey: recipientPagesKey }),
    ]);
  };
}
