import { useQuery } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import type { Action } from '../../ui/menu.tsx';
import { restOf, sequelVerbs } from './sequels.rules.ts';
import { useCreateSequel } from './use-create-sequel.ts';

/** The way on from a cancelled campaign; null where no email was left because of that. */
export function useSendToRest(campaign: Campaign): Action | null {
  const { id, status, sentAt, skippedCount } = campaign;
  // Emails are skipped for other reasons too, which only the statistics tell.
  const mayHaveRest = status === 'CANCELLED' && sentAt !== null && skippedCount > 0;
  const stats = useQuery({ ...useApi().campaigns.stats.queryOptions({ id }), enabled: mayHaveRest });
  const { create, pending } = useCreateSequel(campaign);
  if (!mayHaveRest || !stats.data || restOf(stats.data) === 0) return null;
  return {
    label: sequelVerbs.REST,
    icon: 'send',
    pending: pending !== null,
    run: () => create('REST'),
  };
}
