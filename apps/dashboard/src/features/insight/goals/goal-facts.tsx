import { Link } from 'react-router';
import type { Goal } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Ago } from '../../../ui/time.tsx';
import { eventPath } from '../../audience/events/event-path.ts';
import { conditionInWords, creditInWords } from './goal-words.rules.ts';

/** What a goal counts, which never changes. */
export function GoalFacts({ goal }: { goal: Goal }) {
  const to = useProjectPath();
  const { eventName, where, value, createdAt } = goal;
  const conditions = Array.isArray(where) ? where : [];
  return (
    <Facts>
      <Fact name="Event">
        <Link to={to(eventPath(eventName))}>{eventName}</Link>
      </Fact>
      {conditions.length > 0 && <Fact name="Where">{conditions.map(conditionInWords).join(', ')}</Fact>}
      <Fact name="Value">{value ? `${value.property}, in ${value.currency}` : 'None'}</Fact>
      <Fact name="Credits">{creditInWords(goal)}</Fact>
      <Fact name="Counts since">
        <Ago at={createdAt} />
      </Fact>
    </Facts>
  );
}
