import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { DeleteRecord } from '../../ui/delete-record.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

export function DeleteCampaign({ campaign: { id, name, sentAt } }: { campaign: Campaign }) {
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
  return (
    <DeleteRecord label={`“${name}”`} noun="campaign" remove={remove} onConfirm={() => remove.mutate({ id })}>
      {sentAt
        ? 'Its statistics are deleted. The emails it sent stay in the list of emails, without a campaign.'
        : 'The draft is deleted permanently.'}
    </DeleteRecord>
  );
}
