import { type ClipboardEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { isDay } from '../../../ui/calendar.rules.ts';
import { DatePicker } from '../../../ui/date-picker.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Select } from '../../../ui/select.tsx';
import { Suggest } from '../../../ui/suggest.tsx';
import styles from './data-rows.module.css';
import { type DataRow, newRow, readPasted, rowTypes, withPasted, withType } from './data-rows.rules.ts';
import { useKnownFields } from './use-known-fields.ts';

const typeNames = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  list: 'List',
} as const;
const typeOptions = rowTypes.map((value) => ({ value, label: typeNames[value] }));
const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

interface DataRowsProps {
  rows: readonly DataRow[];
  onChange: (rows: DataRow[]) => void;
  /** What is wrong with rows, by their ids. */
  problems: Readonly<Record<string, string>>;
}

/** The data of a contact, one field per row. A JSON object can be pasted into any of them. */
export function DataRows({ rows, onChange, problems }: DataRowsProps) {
  const known = useKnownFields();
  const [unreadable, setUnreadable] = useState<{ id: string; problem: string } | null>(null);
  const change = (next: DataRow) => {
    setUnreadable(null);
    onChange(rows.map((row) => (row.id === next.id ? next : row)));
  };
  const paste = (row: DataRow) => (event: ClipboardEvent) => {
    const pasted = readPasted(event.clipboardData.getData('text'));
    if (pasted === null) return;
    event.preventDefault();
    if ('problem' in pasted) {
      setUnreadable({ id: row.id, problem: pasted.problem });
      return;
    }
    setUnreadable(null);
    onChange(withPasted(rows, row.id, pasted.data));
  };
  return (
    <fieldset className={styles.rows}>
      <legend>Data</legend>
      {rows.map((row, index) => {
        const name = row.key.trim() === '' ? `field ${index + 1}` : row.key.trim();
        const problem = unreadable?.id === row.id ? unreadable.problem : problems[row.id];
        return (
          <div key={row.id} className={styles.row} onPaste={paste(row)}>
            {row.stored ? (
              <span className={styles.key} title={row.key}>
                {row.key}
              </span>
            ) : (
              <Suggest
                className={`${styles.text} ${styles.name}`}
                aria-label={`Name of field ${index + 1}`}
                aria-invalid={problem !== undefined}
                placeholder="Field"
                value={row.key}
                suggestions={known.map((field) => field.name)}
                onChange={(key) => {
                  const type = known.find((field) => field.name === key)?.type;
                  change(type && row.text === '' ? withType({ ...row, key }, type) : { ...row, key });
                }}
              />
            )}
            <Select
              small
              className={styles.type}
              aria-label={`Type of ${name}`}
              value={row.type}
              options={typeOptions}
              onChange={(type) => change(withType(row, type))}
            />
            <Value row={row} name={name} isRefused={problem !== undefined} onChange={change} />
            <span className={styles.remove}>
              <Button
                kind="quiet"
                small
                aria-label={`Remove ${name}`}
                onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
              >
                <Icon name="cross" size={14} />
              </Button>
            </span>
            {problem !== undefined && (
              <p className={styles.problem} role="alert">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      <div className={styles.add}>
        <Button kind="quiet" small icon="plus" onClick={() => onChange([...rows, newRow()])}>
          Add field
        </Button>
      </div>
    </fieldset>
  );
}

interface ValueProps {
  row: DataRow;
  name: string;
  isRefused: boolean;
  onChange: (row: DataRow) => void;
}

function Value({ row, name, isRefused, onChange }: ValueProps) {
  const label = `Value of ${name}`;
  const set = (text: string) => onChange({ ...row, text });
  if (row.type === 'boolean')
    return (
      <Select
        small
        className={styles.value}
        aria-label={label}
        value={row.text}
        options={yesOrNo}
        onChange={set}
      />
    );
  if (row.type === 'date' && (row.text === '' || isDay(row.text)))
    return <DatePicker label={label} value={row.text} onChange={set} small className={styles.value} />;
  // An input of one line would remove the line breaks.
  if (row.type === 'list' || row.text.includes('\n'))
    return (
      <textarea
        className={`${styles.text} ${styles.value}`}
        rows={3}
        aria-label={label}
        placeholder={row.type === 'list' ? 'One item per line' : undefined}
        value={row.text}
        onChange={({ target }) => set(target.value)}
      />
    );
  return (
    <input
      className={`${styles.text} ${styles.value}`}
      type="text"
      inputMode={row.type === 'number' ? 'decimal' : undefined}
      aria-label={label}
      aria-invalid={isRefused}
      placeholder="Value"
      value={row.text}
      onChange={({ target }) => set(target.value)}
    />
  );
}
