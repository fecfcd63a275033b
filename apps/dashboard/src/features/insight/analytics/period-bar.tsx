import { DatePicker } from '../../../ui/date-picker.tsx';
import { Choice } from '../../../ui/toolbar.tsx';
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
        <DatePicker
          small
          label="From"
          value={days.from}
          onChange={(from) => onChange({ from, to: from > days.to ? from : days.to })}
        />
        <DatePicker
          small
          label="To"
          value={days.to}
          min={days.from}
          onChange={(to) => onChange({ ...days, to })}
        />
      </>
    )}
    <Choice label="Time zone" value={tz} options={zoneOptions} onChange={(zone) => onChange({ tz: zone })} />
  </div>
);
