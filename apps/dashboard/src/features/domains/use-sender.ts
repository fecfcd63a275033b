import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

export interface Sender {
  address: string;
  /** Whether sending from this address is refused because no domain is verified. False until the domains are loaded. */
  isRefused: boolean;
  /** Whether the domains are loaded; until then the address is a placeholder. */
  isKnown: boolean;
}

/** A sender address for examples and as the default in forms. */
export function useSender(): Sender {
  const domains = useQuery(useApi().domains.list.queryOptions());
  const verified = domains.data?.find((domain) => domain.verified);
  const name = verified?.domain ?? domains.data?.[0]?.domain ?? 'your-domain.example';
  return {
    address: `hello@${name}`,
    isRefused: domains.data !== undefined && verified === undefined,
    isKnown: !domains.isPending,
  };
}
