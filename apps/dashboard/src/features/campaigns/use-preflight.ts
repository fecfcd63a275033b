import type { RuleName } from '@postrider/core/automation/preflight/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type CampaignInput, useApi } from '../../lib/api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { type Finding, ofRule } from '../mail-editor/checks/finding.rules.ts';

/** The checks before sending of a campaign as it is stored, made again each time that they are asked for. */
export const usePreflight = (id: string) =>
  useQuery({
    ...useApi().campaigns.preflight.queryOptions({ id }),
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  });

const pauseMs = 1_000;

/**
 * What the checks before sending find of a campaign while it is written, after a pause.
 *
 * @param input null while it is not complete
 * @returns null while that is not known
 */
export function useDraftFindings(input: CampaignInput | null): Finding[] | null {
  const settled = useDebounced(JSON.stringify(input), pauseMs);
  const asked = JSON.parse(settled) as CampaignInput | null;
  const { data } = useQuery({
    ...useApi().campaigns.preflightDraft.queryOptions(asked ?? nothing),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    retry: false,
    enabled: asked !== null,
  });
  if (input === null || !data) return null;
  return data.findings.filter(({ rule }) => !untold.has(rule)).map(ofRule);
}

/**
 * Left out in the editor: an empty audience is shown with the other missing fields, a cap of today says little about a later send, and an
 * approval is asked for once the campaign is written.
 */
const untold: ReadonlySet<string> = new Set<RuleName>(['recipients', 'cap', 'approval']);

const nothing: CampaignInput = { name: '', subject: '', body: '', from: '', audienceType: 'ALL' };
