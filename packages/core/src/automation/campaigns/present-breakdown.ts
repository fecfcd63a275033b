import { exclusionOf, exclusions } from '../../mail/eligibility/contract.ts';
import type { AudienceBreakdown } from '../../mail/ledger/index.ts';
import type { ExclusionCounts } from './campaigns.schema.ts';

/** @param isSandbox whether the campaign is from the sandbox sender */
export function presentBreakdown(
  { matched, willSend, notSubscribed, ...counts }: AudienceBreakdown,
  isSandbox: boolean,
) {
  const shown = exclusions.filter((reason) => isSandbox || !exclusionOf(reason).ofSandbox);
  const skipped = Object.fromEntries(shown.map((reason) => [reason, counts[reason]])) as ExclusionCounts;
  return { matched, willSend, skipped, notSubscribed };
}
