import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, type CampaignInput, useApi, useApiClient } from '../../lib/api.ts';
import { type Failure, failureOf } from '../../lib/failure.ts';
import { isSameVersion } from './campaign-input.rules.ts';

export type SaveResult =
  | { kind: 'saved'; campaign: Campaign }
  | { kind: 'refused'; failure: Failure }
  /** The campaign was changed elsewhere; nothing was saved. */
  | { kind: 'newer'; newest: Campaign };

/** Saves a campaign: creates it first, then replaces the version that this page knows and no other. */
export function useSaveCampaign(record: Campaign | null) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const [known, setKnown] = useState(record);

  const store = async (input: CampaignInput): Promise<SaveResult> => {
    if (known === null) return { kind: 'saved', campaign: await client.campaigns.create.mutate(input) };
    const { id } = known;
    const replace = (ifUpdatedAt: string) => client.campaigns.update.mutate({ id, ...input, ifUpdatedAt });
    try {
      return { kind: 'saved', campaign: await replace(known.updatedAt) };
    } catch (error) {
      if (failureOf(error).code !== 'CONFLICT') throw error;
      const newest = await client.campaigns.get.query({ id });
      const isOpen = newest.status === 'DRAFT' || newest.status === 'SCHEDULED';
      if (!isOpen || !isSameVersion(known, newest)) return { kind: 'newer', newest };
      // Only its state changed, for example because it was scheduled.
      return { kind: 'saved', campaign: await replace(newest.updatedAt) };
    }
  };

  return {
    /** The campaign as this page last loaded or saved it. */
    known,
    /** Lets the next save replace this version too. */
    accept: setKnown,
    async save(input: CampaignInput): Promise<SaveResult> {
      try {
        const result = await store(input);
        if (result.kind === 'saved') {
          const { campaign } = result;
          await queryClient.invalidateQueries({ ...api.campaigns.pathFilter(), refetchType: 'none' });
          queryClient.setQueryData(api.campaigns.get.queryKey({ id: campaign.id }), campaign);
          setKnown(campaign);
        }
        return result;
      } catch (error) {
        return { kind: 'refused', failure: failureOf(error) };
      }
    },
  };
}
