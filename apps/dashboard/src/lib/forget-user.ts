import type { QueryClient } from '@tanstack/react-query';
import { forgetRecent } from './recent.ts';
import { forgetDrafts } from './use-draft.ts';

/** Forgets in this browser what the next user must not find. */
export function forgetUser(queryClient: QueryClient): void {
  queryClient.clear();
  forgetDrafts();
  forgetRecent();
}
