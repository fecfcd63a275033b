import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Domain, useApi } from '../../../lib/api.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';

/** Checks the required records and everything that receivers look at, now. */
export function VerifyDomain({ domain }: { domain: Domain }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const verify = useMutation({
    ...api.domains.verify.mutationOptions(),
    async onSuccess({ verified }) {
      await Promise.all([
        queryClient.invalidateQueries(api.domains.list.queryFilter()),
        queryClient.invalidateQueries(api.domains.health.queryFilter({ id: domain.id })),
      ]);
      if (verified) announce(`${domain.domain} is verified`);
      else announce(`The DNS record for ${domain.domain} was not found yet`, 'note');
    },
    onError: () => announce('The check failed; try again', 'note'),
  });
  return (
    <Button icon="refresh" pending={verify.isPending} onClick={() => verify.mutate({ id: domain.id })}>
      Check now
    </Button>
  );
}
