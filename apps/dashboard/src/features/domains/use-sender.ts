import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** An address that mail may be sent from, for examples and as the first suggestion in forms. */
export function useSender(): { address: string; isVerified: boolean } {
  const domains = useQuery(useApi().domains.list.queryOptions());
  const verified = domains.data?.find((domain) => domain.verified);
  return verified
    ? { address: `hello@${verified.domain}`, isVerified: true }
    : { address: `hello@${domains.data?.[0]?.domain ?? 'your-domain.example'}`, isVerified: false };
}
