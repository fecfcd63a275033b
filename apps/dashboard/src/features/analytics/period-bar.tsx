import { Choice } from '../../ui/toolbar.tsx';
import { type PeriodChoice, periods, zones } from './period.rules.ts';
import styles from './period-bar.module.css';

interface PeriodBarProps {
  choice: PeriodChoice;
  onChange: (params: Record<string, string>) => void;
}

const zoneOptions = zones().map((value) => ({ value, label: value.replaceAll('_', ' ') }));

/** Chooses the period and the time zone of all figures of a page. */
export const PeriodBar = ({ choice: { name, tz, days }, onChange }: PeriodBarProps) => (
  <div className={styles.bar}>
    <Choice
      label="Period"
      value={name}
      options={periods}
      onChange={(period) => onChange({ period, ...(period === 'own' && days) })}
    />
    {name === 'own' && (
      <>
        <Day label="From" value={days.from} max={days.to} onChange={(from) => onChange({ ...days, from })} />
        <Day label="To" value={days.to} min={days.from} onChange={(to) => onChange({ ...days, to })} />
      </>
    )}
    <Choice label="Time zone" value={tz} options={zoneOptions} onChange={(zone) => onChange({ tz: zone })} />
  </div>
);

interface DayProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

const Day = ({ label, value, min, max, onChange }: DayProps) => (
  <label className={styles.day}>
    <span>{label}</span>
    <input
      type="date"
      value={value}
      min={min}
      max={max}
      onChange={({ target }) => target.value !== '' && onChange(target.value)}
    />
  </label>
);
