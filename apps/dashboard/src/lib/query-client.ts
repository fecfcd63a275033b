import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isFinal, isSessionEnd } from './failure.ts';

const retries = 3;

/** @param onSessionEnd called when a request fails because the session has ended */
export function createQueryClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionEnd(error)) onSessionEnd();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (count, error) => count < retries && !isFinal(error),
      },
    },
  });
}
