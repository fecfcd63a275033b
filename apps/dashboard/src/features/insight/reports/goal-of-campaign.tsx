import { Link } from 'react-router';
import type { CampaignReport } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount, formatPercent, formatRatio, formatValue } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Panel } from '../../../ui/panel.tsx';

type Goal = NonNullable<CampaignReport['goal']>;
type Lift = NonNullable<CampaignReport['lift']>;

/** What a campaign has led to, and what its email changes by comparison with those who were held out. */
export function GoalOfCampaign({ goal, lift }: { goal: Goal; lift: Lift | null }) {
  const to = useProjectPath();
  const worth = (value: number | null): string =>
    value === null || goal.currency === null ? '' : `, worth ${formatValue(value, goal.currency)}`;
  return (
    <Panel title={goal.name} aside={<Link to={to(`goals/${goal.id}`)}>View goal</Link>}>
      <Facts>
        <Fact name="Converted">
          {`${formatPercent(goal.conversionRate)} of the emails sent (${formatCount(goal.converted)}${worth(goal.value)}), touched or not`}
        </Fact>
        <Fact name="Credited">{`${formatCount(goal.credited)}${worth(goal.creditedValue)}`}</Fact>
        {lift && (
          <Fact name="Lift">
            <LiftInWords lift={lift} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

const LiftInWords = ({ lift: { rate, heldOutRate, ratio, low, high, heldOut, proven } }: { lift: Lift }) => (
  <>
    {`${formatPercent(rate)} of those who got it against ${formatPercent(heldOutRate)} of the ${formatCount(heldOut)} held out`}
    {ratio !== null && `: ${formatRatio(ratio)} times as often`}
    {low !== null && high !== null && ` (between ${formatRatio(low)} and ${formatRatio(high)})`}{' '}
    {proven ? <Chip tone="good">Proven</Chip> : <Chip tone="calm">No difference shown</Chip>}
  </>
);
