import type { Unit } from '@postrider/core/audience/segments/contract';
import { figureComparisons, units } from '@postrider/core/audience/segments/contract';
import { DatePicker } from '../../../ui/date-picker.tsx';
import { Select } from '../../../ui/select.tsx';
import styles from './filter-builder.module.css';
import { useFailuresAt } from './filter-places.ts';
import {
  type FilterDraft,
  hasFigure,
  hasTimes,
  hasWhere,
  hasWindow,
  noWindow,
  type WindowDraft,
  windowKinds,
} from './filter-tree.rules.ts';
import { WhereRows } from './where-rows.tsx';
import { operatorNames, unitNames, windowNames } from './words.ts';

interface OccurrenceFieldsProps {
  filter: FilterDraft;
  /** The name of the condition, for screen readers. */
  label: string;
  onChange: (filter: FilterDraft) => void;
}

const parts = [
  'times',
  'times.min',
  'times.max',
  'window',
  'window.last',
  'window.olderThan',
  'window.from',
  'window.to',
  'property',
  'compare',
  'where',
];

/** Which occurrences count, and how often: what belongs to the operator of a condition on events or emails. */
export function OccurrenceFields({ filter, label, onChange }: OccurrenceFieldsProps) {
  const problems = useFailuresAt(filter.key, parts);
  const { where = [], times = { min: '', max: '' }, window = noWindow } = filter;
  const set = (change: Partial<FilterDraft>) => onChange({ ...filter, ...change });
  const of = filter.kind === 'activity' ? 'activity' : 'event';
  return (
    <>
      {hasFigure(filter) && filter.figure && (
        <div className={styles.part}>
          <span className={styles.partName}>of</span>
          <input
            className={styles.text}
            type="text"
            aria-label="Property"
            placeholder="amount"
            value={filter.figure.property}
            onChange={({ target }) =>
              set({ figure: { compare: 'greaterThan', ...filter.figure, property: target.value } })
            }
          />
          <Select
            small
            className={styles.windowKind}
            aria-label="Comparison"
            value={filter.figure.compare as (typeof figureComparisons)[number]}
            options={figureComparisons.map((value) => ({ value, label: operatorNames[value] }))}
            onChange={(compare) => set({ figure: { property: '', ...filter.figure, compare } })}
          />
          <CountField
            label="Number"
            placeholder="100"
            value={filter.value}
            onChange={(value) => set({ value })}
          />
        </div>
      )}
      {hasTimes(filter) && (
        <div className={styles.part}>
          <span className={styles.partName}>at least</span>
          <CountField
            label="At least so many times"
            placeholder="1"
            value={times.min}
            onChange={(min) => set({ times: { ...times, min } })}
          />
          <span className={styles.partName}>and at most</span>
          <CountField
            label="At most so many times"
            placeholder="any"
            value={times.max}
            onChange={(max) => set({ times: { ...times, max } })}
          />
          <span className={styles.partName}>times</span>
        </div>
      )}
      {hasWindow(filter) && <WindowFields window={window} onChange={(next) => set({ window: next })} />}
      {hasWhere(filter) && (
        <WhereRows
          where={where}
          of={of}
          eventName={filter.kind === 'event' ? filter.name : undefined}
          canClick={filter.name === 'clicked'}
          label={label}
          onChange={(next) => set({ where: next })}
        />
      )}
      {problems.length > 0 && <p className={styles.failure}>{problems.join('; ')}</p>}
    </>
  );
}

interface CountFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

const CountField = ({ label, placeholder, value, onChange }: CountFieldProps) => (
  <input
    className={styles.times}
    type="number"
    min={0}
    step={1}
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
);

/** When occurrences count. */
function WindowFields({
  window,
  onChange,
}: {
  window: WindowDraft;
  onChange: (window: WindowDraft) => void;
}) {
  const { kind, last, olderThan, unit, from, to } = window;
  const set = (change: Partial<WindowDraft>) => onChange({ ...window, ...change });
  return (
    <div className={styles.part}>
      <Select
        small
        className={styles.windowKind}
        aria-label="When"
        value={kind}
        options={windowKinds.map((value) => ({ value, label: windowNames[value] }))}
        onChange={(next) => set({ kind: next })}
      />
      {(kind === 'last' || kind === 'between') && (
        <CountField
          label={kind === 'between' ? 'At most so long ago' : 'Number'}
          placeholder="30"
          value={last}
          onChange={(next) => set({ last: next })}
        />
      )}
      {(kind === 'olderThan' || kind === 'between') && (
        <CountField
          label={kind === 'between' ? 'At least so long ago' : 'Number'}
          placeholder="7"
          value={olderThan}
          onChange={(next) => set({ olderThan: next })}
        />
      )}
      {(kind === 'last' || kind === 'olderThan' || kind === 'between') && (
        <Select<Unit>
          small
          className={styles.unit}
          aria-label="Unit"
          value={unit}
          options={units.map((value) => ({ value, label: unitNames[value] }))}
          onChange={(next) => set({ unit: next })}
        />
      )}
      {kind === 'dates' && (
        <>
          <DateField label="From" value={from} onChange={(next) => set({ from: next })} />
          <DateField label="To" value={to} onChange={(next) => set({ to: next })} />
        </>
      )}
    </div>
  );
}

/** A bound set through the API can have a time of day, which a calendar would drop. */
const DateField = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) =>
  value.length > 10 ? (
    <input
      className={styles.text}
      type="text"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  ) : (
    <DatePicker label={label} value={value} onChange={onChange} small className={styles.control} />
  );
