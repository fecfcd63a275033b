import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

export interface Sender {
  address: string;
  /** There is no verified domain, so mail from this address is refused. False while that is not known. */
  isRefused: boolean;
  /** Whether the domains have been asked for; before that the address is only a placeholder. */
  isKnown: boolean;
}

/** An address that mail may be sent from, for examples and as the first suggestion in forms. */
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
