import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf, passesSoon } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import type { SequelOffer } from './sequels.rules.ts';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

/** Creates a sequel as a draft, and opens it. While emails of the campaign are still being cancelled, it waits for a minute at most. */
export function useCreateSequel({ id }: Pick<Campaign, 'id'>) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const sequel = useMutation({
    ...useApi().campaigns.createSequel.mutationOptions(),
    retry: (count, error) => passesSoon(error) && count < 60,
    retryDelay: 1_000,
    onError: (error) => announce(failureOf(error).message, 'note'),
    async onSuccess({ id: sequelId, name }) {
      await refresh();
      await navigate(to(`campaigns/${sequelId}`));
      announce(`Created the draft “${name}”`);
    },
  });
  return {
    create: (kind: SequelOffer['kind']) => sequel.mutate({ id, kind }),
    pending: sequel.isPending ? sequel.variables.kind : null,
  };
}
