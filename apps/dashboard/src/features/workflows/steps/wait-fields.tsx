import { eventName } from '@postrider/core/audience/events/contract';
import { mostAwaited, type StepConfigs } from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { FilterPlaces } from '../../common/filters/filter-places.ts';
import { WhereRows } from '../../common/filters/where-rows.tsx';
import { durationUnits, splitDuration } from './duration.rules.ts';
import { DurationRow } from './duration-row.tsx';
import { HiddenJson } from './hidden-json.tsx';
import { StepFailures } from './step-failures.ts';
import styles from './step-panel.module.css';
import type { StepFieldsProps } from './step-view.ts';
import { type AwaitedDraft, awaitedIn, newAwaited } from './wait-draft.rules.ts';

/** The events to wait for, of which the first that occurs counts, and an optional timeout. */
export function WaitFields({ config }: StepFieldsProps<StepConfigs['WAIT_FOR_EVENT']>) {
  const [events, setEvents] = useState(() => awaitedIn(config));
  const failures = useContext(StepFailures);
  const timeout = config.timeout === undefined ? null : splitDuration(config.timeout);
  const paths = new Map(
    events.flatMap(({ where }, index) =>
      where.map(({ key }, at): [string, string] => [key, `config.events.${index}.where.${at}`]),
    ),
  );
  return (
    <FilterPlaces value={{ paths, failures }}>
      <HiddenJson name="config.events" value={events} onRestore={setEvents} />
      {events.map((event, index) => (
        <Awaited
          key={event.key}
          event={event}
          index={index}
          isOnly={events.length === 1}
          failure={
            failures[`config.events.${index}.eventName`] ??
            (events.length === 1 ? failures['config.eventName'] : undefined)
          }
          onChange={(next) => setEvents(events.map((each) => (each.key === event.key ? next : each)))}
          onRemove={() => setEvents(events.filter(({ key }) => key !== event.key))}
        />
      ))}
      {events.length < mostAwaited && (
        <div>
          <Button small icon="plus" onClick={() => setEvents([...events, newAwaited(events)])}>
            Or another event
          </Button>
        </div>
      )}
      <DurationRow>
        <TextField
          name="config.timeout"
          label="Timeout"
          type="number"
          min={1}
          step={1}
          defaultValue={timeout?.amount ?? ''}
          placeholder="No timeout"
        />
        <SelectField name="timeoutUnit" label="Unit" defaultValue={timeout?.unit ?? 'days'}>
          {Object.keys(durationUnits).map((unit) => (
            <option key={unit} value={unit}>
              {unit}
            </option>
          ))}
        </SelectField>
      </DurationRow>
    </FilterPlaces>
  );
}

interface AwaitedProps {
  event: AwaitedDraft;
  index: number;
  isOnly: boolean;
  failure: string | undefined;
  onChange: (event: AwaitedDraft) => void;
  onRemove: () => void;
}

function Awaited({ event, index, isOnly, failure, onChange, onRemove }: AwaitedProps) {
  const names = useQuery(useApi().events.names.queryOptions());
  const { name, where } = event;
  return (
    <fieldset className={styles.row}>
      <legend className="visually-hidden">Event {index + 1}</legend>
      <div className={styles.withRemove}>
        <SuggestedField
          name={`event-${event.key}`}
          label={isOnly ? 'Event' : `Event ${index + 1}`}
          suggestions={names.data?.eventNames ?? []}
          value={name}
          onChange={({ target }) => onChange({ ...event, name: target.value })}
          placeholder="order.paid"
          {...limitsOf(eventName)}
          required
        />
        {!isOnly && (
          <Button kind="quiet" small onClick={onRemove} aria-label={`Remove event ${index + 1}`}>
            <Icon name="cross" size={12} />
          </Button>
        )}
      </div>
      {failure !== undefined && <p className={styles.failure}>{failure}</p>}
      <WhereRows
        where={where}
        of="event"
        eventName={name || undefined}
        label={`Event ${index + 1}`}
        onChange={(next) => onChange({ ...event, where: next })}
      />
      {where.length > 0 && (
        <p className={styles.note}>
          With “is”, a value such as {'{{event.orderId}}'} is that of the execution, so that only <em>its</em>{' '}
          order counts.
        </p>
      )}
    </fieldset>
  );
}
