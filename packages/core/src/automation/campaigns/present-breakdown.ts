import { exclusionOf, exclusions } from '../../mail/eligibility/contract.ts';
import type { AudienceBreakdown } from '../../mail/ledger/index.ts';
import type { ExclusionCounts } from './campaigns.schema.ts';
import type { PartCounts } from './count-parts.ts';

interface Shown extends PartCounts {
  /** whether the campaign is from the sandbox sender */
  isSandbox: boolean;
  /** whether other campaigns of its family were sent in its round */
  hasOthers: boolean;
}

export function presentBreakdown(
  { matched, willSend, notSubscribed, ...counts }: AudienceBreakdown,
  { isSandbox, hasOthers, included, excluded }: Shown,
) {
  const shown = exclusions.filter((reason) => {
    const { ofSandbox, ofFamily } = exclusionOf(reason);
    return (isSandbox || !ofSandbox) && (hasOthers || !ofFamily);
  });
  const skipped = Object.fromEntries(shown.map((reason) => [reason, counts[reason]])) as ExclusionCounts;
  return { matched, willSend, included, excluded, skipped, notSubscribed };
}
