import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { useDeleteRecord } from '../../ui/delete-record.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

export function useDeleteCampaign({ id, name, sentAt }: Campaign): Action {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshCampaigns();
  const remove = useMutation({
    ...useApi().campaigns.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('campaigns'));
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  return useDeleteRecord({
    label: `“${name}”`,
    noun: 'campaign',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: sentAt
      ? 'Its statistics are deleted. The emails it sent stay in the list of emails, without a campaign.'
      : 'The draft is deleted permanently.',
  });
}
