import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useConfiguration } from '../../../lib/use-configuration.ts';

export interface Sender {
  address: string;
  /** Whether it is the sandbox sender, because no domain is verified. False until both are loaded. */
  isSandbox: boolean;
  /** Whether the domains and the configuration have loaded, or failed to load. Before that, and after a failure, the address may be a placeholder. */
  isKnown: boolean;
  /** Addresses that can be sent from: one of each verified domain, and the sandbox sender. */
  all: string[];
}

/** A sender address for examples and as the default in forms. */
export function useSender(): Sender {
  const domains = useQuery(useApi().domains.list.queryOptions());
  const configuration = useConfiguration();
  const sandbox = configuration.data?.features.email.sandboxFrom;
  const verified = (domains.data ?? [])
    .filter((domain) => domain.verified)
    .map(({ domain }) => `hello@${domain}`);
  const isLoaded = domains.data !== undefined && sandbox !== undefined;
  const all = [...verified, ...(sandbox === undefined ? [] : [sandbox])];
  return {
    address: (isLoaded ? all[0] : verified[0]) ?? 'hello@your-domain.example',
    isSandbox: isLoaded && verified.length === 0,
    isKnown: !domains.isPending && !configuration.isPending,
    all,
  };
}
