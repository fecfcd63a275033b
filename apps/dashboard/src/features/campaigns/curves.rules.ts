import type { CampaignComparison } from '../../lib/api.ts';

type Compared = CampaignComparison['data'][number];

/** The part of the emails of each campaign that was opened, or clicked, up to the end of each hour after it was sent: null for hours to come. */
export function ratesByHour(
  compared: readonly Compared[],
  figure: 'opened' | 'clicked',
): { hour: number; rates: (number | null)[] }[] {
  const reached = compared.map(({ sent, curve }) => {
    let sum = 0;
    return curve.map((point) => {
      sum += point[figure];
      return sent === 0 ? 0 : Math.min(100, Math.round((sum / sent) * 10_000) / 100);
    });
  });
  const hours = Math.max(0, ...reached.map(({ length }) => length));
  return Array.from({ length: hours }, (_, hour) => ({
    hour,
    rates: reached.map((rates) => rates[hour] ?? null),
  }));
}
