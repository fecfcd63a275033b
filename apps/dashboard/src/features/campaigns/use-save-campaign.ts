import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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
  const latest = useRef(record);
  /** Saves run one after the other, so that each replaces the version that the one before it made. */
  const previous = useRef<Promise<unknown>>(Promise.resolve());
  const accept = (campaign: Campaign) => {
    latest.current = campaign;
    setKnown(campaign);
  };

  const store = async (input: CampaignInput): Promise<SaveResult> => {
    const before = latest.current;
    if (before === null) return { kind: 'saved', campaign: await client.campaigns.create.mutate(input) };
    const { id } = before;
    const replace = (ifUpdatedAt: string) => client.campaigns.update.mutate({ id, ...input, ifUpdatedAt });
    try {
      return { kind: 'saved', campaign: await replace(before.updatedAt) };
    } catch (error) {
      if (failureOf(error).code !== 'CONFLICT') throw error;
      const newest = await client.campaigns.get.query({ id });
      const isOpen = newest.status === 'DRAFT' || newest.status === 'SCHEDULED';
      if (!isOpen || !isSameVersion(before, newest)) return { kind: 'newer', newest };
      // Only its state changed, for example because it was scheduled.
      return { kind: 'saved', campaign: await replace(newest.updatedAt) };
    }
  };

  const attempt = async (input: CampaignInput): Promise<SaveResult> => {
    try {
      const result = await store(input);
      if (result.kind === 'saved') {
        const { campaign } = result;
        accept(campaign);
        await queryClient.invalidateQueries({ ...api.campaigns.pathFilter(), refetchType: 'none' });
        queryClient.setQueryData(api.campaigns.get.queryKey({ id: campaign.id }), campaign);
      }
      return result;
    } catch (error) {
      return { kind: 'refused', failure: failureOf(error) };
    }
  };

  return {
    /** The campaign as this page last loaded or saved it. */
    known,
    /** Lets the next save replace this version too. */
    accept,
    save(input: CampaignInput): Promise<SaveResult> {
      const result = previous.current.then(() => attempt(input));
      previous.current = result;
      return result;
    },
  };
}
