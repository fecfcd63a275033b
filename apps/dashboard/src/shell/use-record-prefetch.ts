import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { matchPath } from 'react-router';
import { useApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { onLinkIntent } from '../lib/link-intent.ts';
import { paths } from '../lib/paths.ts';

/** The queries of pages of one record. Each reads one row by its id. */
const queriesOf = (queryClient: QueryClient, api: ReturnType<typeof useApi>) => ({
  campaigns: (id: string) => queryClient.prefetchQuery(api.campaigns.get.queryOptions({ id })),
  contacts: (id: string) => queryClient.prefetchQuery(api.contacts.get.queryOptions({ id })),
  emails: (id: string) => queryClient.prefetchQuery(api.sending.getEmail.queryOptions({ id })),
  segments: (id: string) => queryClient.prefetchQuery(api.segments.get.queryOptions({ id })),
  templates: (id: string) => queryClient.prefetchQuery(api.templates.get.queryOptions({ id })),
  workflows: (id: string) => queryClient.prefetchQuery(api.workflows.get.queryOptions({ id })),
});

/** Other words at its place are other pages, such as `new`. */
const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Reads a record as soon as a link to its page is likely to be followed, so that the page opens with it. */
export function useRecordPrefetch(): void {
  const queryClient = useQueryClient();
  const api = useApi();
  const project = useProject();
  useEffect(() => {
    const queries: Partial<Record<string, (id: string) => Promise<void>>> = queriesOf(queryClient, api);
    return onLinkIntent(({ pathname }) => {
      const { kind, id } = matchPath(`${paths.project(project.id)}/:kind/:id/*`, pathname)?.params ?? {};
      if (kind !== undefined && id !== undefined && isId.test(id)) void queries[kind]?.(id);
    });
  }, [queryClient, api, project.id]);
}
