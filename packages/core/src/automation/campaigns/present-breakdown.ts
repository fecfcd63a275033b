import type { AudienceBreakdown } from '../../mail/ledger/index.ts';

/** @param isSandbox whether the campaign is from the sandbox sender */
export function presentBreakdown(
  { matched, willSend, sandbox, ...skipped }: AudienceBreakdown,
  isSandbox: boolean,
) {
  return { matched, willSend, skipped: isSandbox ? { ...skipped, sandbox } : skipped };
}
