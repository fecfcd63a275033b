import { Link } from 'react-router';
import { useProjectPath } from '../../../lib/current.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';
import styles from './event-facts.module.css';
import { type EventFact, factsOf } from './event-facts.rules.ts';

interface EventFactsProps {
  name: string;
  data: Readonly<Record<string, unknown>>;
}

/** All data of an event, as names and values; as JSON it can be copied. */
export function EventFacts({ name, data }: EventFactsProps) {
  return (
    <div className={styles.details}>
      <Facts>
        {factsOf({ name, data }).map((fact) => (
          <Fact key={fact.name} name={fact.name}>
            <Value fact={fact} />
          </Fact>
        ))}
      </Facts>
      <CopyButton text={JSON.stringify(data, null, 2)} label="the data of the event" word="Copy as JSON" />
    </div>
  );
}

function Value({ fact: { value, path, isTime, isJson } }: { fact: EventFact }) {
  const to = useProjectPath();
  if (path !== undefined) return <Link to={to(path)}>{value}</Link>;
  if (isTime) return <Moment at={value} />;
  return isJson ? <pre>{value}</pre> : value;
}
