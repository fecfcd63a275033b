import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

interface RecordNameProps {
  property: 'campaignId' | 'workflowId' | 'templateId';
  id: string;
}

/** The name of the record that a property of emails refers to; the id of one that is gone. */
export function RecordName({ property, id }: RecordNameProps) {
  const api = useApi();
  const rest = { staleTime: 60_000, retry: false };
  const campaign = useQuery({
    ...api.campaigns.get.queryOptions({ id }),
    ...rest,
    enabled: property === 'campaignId',
  });
  const workflow = useQuery({
    ...api.workflows.get.queryOptions({ id }),
    ...rest,
    enabled: property === 'workflowId',
  });
  const template = useQuery({
    ...api.templates.get.queryOptions({ id }),
    ...rest,
    enabled: property === 'templateId',
  });
  const found = { campaignId: campaign, workflowId: workflow, templateId: template }[property];
  return found.data?.name ?? (found.isLoading ? '…' : id);
}
