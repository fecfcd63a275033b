import type { BillingLimits } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { usageLabels } from './usage-labels.ts';

/** The emails of this month by category, next to their limits. */
export function UsageBars({ limits }: { limits: BillingLimits }) {
  const rows = usageLabels.flatMap(({ category, label }) => {
    const usage = limits[category];
    return usage === null ? [] : [{ label, ...usage }];
  });
  return (
    <Facts>
      {rows.map(({ label, usage, limit, percentage, isWarning, isBlocked }) => (
        <Fact key={label} name={label}>
          {limit === null ? (
            `${formatCount(usage)}, no limit`
          ) : (
            <>
              <Progress
                label={`${formatCount(usage)} of ${formatCount(limit)}`}
                value={Math.min(100, percentage)}
              />
              {isBlocked ? (
                <Chip tone="bad">Limit reached</Chip>
              ) : (
                isWarning && <Chip tone="warn">Near the limit</Chip>
              )}
            </>
          )}
        </Fact>
      ))}
    </Facts>
  );
}
