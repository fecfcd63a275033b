import type { PauseReason } from './campaigns.rules.ts';

/** The counters of a campaign that its guard reads. */
export interface GuardCounts {
  sent: number;
  /** bounced and never sent */
  refused: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
}

export type GuardReason = Exclude<PauseReason, 'user'>;

/** Of what share of its emails a campaign may expect each (behaviour B13.4). */
export const guardLimits: Readonly<Record<GuardReason, { of: keyof GuardCounts; rate: number }>> = {
  guard_bounces: { of: 'bounced', rate: 0.02 },
  guard_complaints: { of: 'complained', rate: 0.001 },
  guard_unsubscribes: { of: 'unsubscribed', rate: 0.02 },
};

/** How many times the limit the true rate is tried to be. */
const factors = [1.5, 2, 3, 5, 8];
const enoughEvidence = 1_000;
const fewest = 3;

/**
 * How much more likely what was counted is if the true rate is above the limit than if it is the limit: the mean of the ratios of likelihoods over
 * several rates. If the true rate is at most `rate`, it reaches 1,000 with a probability below 1 in 1,000, however often it is looked at
 * (Ville's inequality for non-negative martingales).
 *
 * @param count of `of` emails
 */
export function evidenceAgainst(rate: number, count: number, of: number): number {
  const others = Math.max(0, of - count);
  const ratios = factors.map((factor) =>
    Math.exp(count * Math.log(factor) + others * Math.log((1 - factor * rate) / (1 - rate))),
  );
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / factors.length;
}

/** What the guard reads of the counters of a campaign. */
export const guardCountsOf = (
  counters: Record<
    'sentCount' | 'refusedCount' | 'bouncedCount' | 'complainedCount' | 'unsubscribedCount',
    number
  >,
): GuardCounts => ({
  sent: counters.sentCount,
  refused: counters.refusedCount,
  bounced: counters.bouncedCount,
  complained: counters.complainedCount,
  unsubscribed: counters.unsubscribedCount,
});

/** What was counted after `base`. */
export const countedSince = (counts: GuardCounts, base: GuardCounts | null): GuardCounts =>
  base === null
    ? counts
    : {
        sent: counts.sent - base.sent,
        refused: counts.refused - base.refused,
        bounced: counts.bounced - base.bounced,
        complained: counts.complained - base.complained,
        unsubscribed: counts.unsubscribed - base.unsubscribed,
      };

/** Why the guard pauses a campaign with these counts; null when it does not. */
export function reasonToPause(counts: GuardCounts): GuardReason | null {
  const emails = counts.sent + counts.refused;
  for (const reason of Object.keys(guardLimits) as GuardReason[]) {
    const { of, rate } = guardLimits[reason];
    const count = counts[of];
    if (count >= fewest && evidenceAgainst(rate, count, emails) >= enoughEvidence) return reason;
  }
  return null;
}
