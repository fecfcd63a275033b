import { useQuery } from '@tanstack/react-query';
import { type Configuration, readConfiguration } from './rest.ts';

/** The installation's public configuration; read once, since only a restart of the server changes it. */
export const useConfiguration = () =>
  useQuery({ queryKey: ['configuration'], queryFn: readConfiguration, staleTime: Number.POSITIVE_INFINITY });

const soonMs = 5_000;
const seldomMs = 60_000;

/** Whether the Temporal server answers, read again from time to time; null until it is known. */
export function useEngine(): Configuration['engine'] | null {
  const { data } = useQuery({
    queryKey: ['engine'],
    queryFn: async () => (await readConfiguration()).engine,
    refetchInterval: ({ state }) => (state.data?.state === 'ok' ? seldomMs : soonMs),
    staleTime: seldomMs,
  });
  return data ?? null;
}

/** The address that integrations use; the page's own origin until the configuration is loaded. */
export const useApiUrl = (): string => useConfiguration().data?.urls.api ?? window.location.origin;

/** Whether bounces and complaints after the hand-over are received; true until the configuration is loaded. */
export const useReportsReceived = (): boolean =>
  useConfiguration().data?.features.email.reportsReceived ?? true;

/** Whether emails are billed; false until the configuration is loaded. */
export const useBillingEnabled = (): boolean => useConfiguration().data?.features.billing.enabled ?? false;

/** The page of the local mailbox, which receives all email of a development installation; null where there is none. */
export const useMailboxUrl = (): string | null => useConfiguration().data?.features.email.mailboxUrl ?? null;
