import { keyOfTarget, topicOfTarget } from '@postrider/core/audience/contacts/contract';
import { Combobox } from '../../../ui/combobox.tsx';
import { Select } from '../../../ui/select.tsx';
import { Cell, SecondLine, Table } from '../../../ui/table.tsx';
import { dataInWords } from '../events/data-in-words.rules.ts';
import { readingOf, readings, withReading } from './column-reading.rules.ts';
import { type CsvHead, preview, samplesOf } from './csv-head.rules.ts';
import styles from './import-mapping.module.css';
import { type Targets, targetName } from './targets.rules.ts';
import { useKnownFields } from './use-known-fields.ts';
import { useTopicKeys } from './use-topic-keys.ts';

const skip = 'skip';

const plainOptions = [
  { value: 'email', label: 'Email address' },
  { value: 'externalId', label: 'External ID' },
  { value: 'subscribed', label: 'Subscribed: yes or no' },
  { value: 'status', label: 'Status of the contact' },
  { value: 'snoozedUntil', label: 'Paused until' },
  { value: skip, label: 'Skip this column' },
];

const consentOptions = [
  { value: 'consent.at', label: 'Agreed at' },
  { value: 'consent.ip', label: 'Agreed from this IP address' },
  { value: 'consent.source', label: 'Agreed where' },
  { value: 'consent.confirmedAt', label: 'Confirmed at' },
  { value: 'consent.confirmedIp', label: 'Confirmed from this IP address' },
  { value: 'consent.unsubscribedAt', label: 'Unsubscribed at' },
];

interface ImportMappingProps {
  head: CsvHead;
  targets: Targets;
  onChange: (targets: Targets) => void;
}

/** What the columns of a file become, and the first contacts as they will be stored. */
export function ImportMapping({ head, targets, onChange }: ImportMappingProps) {
  const known = useKnownFields();
  const topics = useTopicKeys();
  const names = [...new Set([...known.map(({ name }) => name), ...Object.keys(targets)])];
  const groups = [
    { label: 'Column', options: plainOptions },
    { label: 'Consent', options: consentOptions },
    { label: 'Topics', options: topics.map((key) => ({ value: `topics.${key}`, label: `Topic: ${key}` })) },
    { label: 'Contact fields', options: names.map((name) => ({ value: `data.${name}`, label: name })) },
  ];
  const choose = (header: string, value: string) => {
    const others = Object.entries(targets).map(([each, target]): [string, Targets[string]] =>
      // Only one column is the address, says who is subscribed, or has the choices of a topic.
      keyOfTarget(value) === null && targetName(target) === value ? [each, null] : [each, target],
    );
    const next =
      value === skip
        ? null
        : keyOfTarget(value) === null
          ? value
          : withReading(value, readingOf(targets[header]));
    onChange({ ...Object.fromEntries(others), [header]: next });
  };
  return (
    <>
      <section aria-label="Columns">
        <Table label="Columns" columns={[{ label: 'Column' }, { label: 'Becomes' }]}>
          {Object.entries(targets).map(([header, target]) => (
            <tr key={header}>
              <Cell clip>
                {header}
                <span className={styles.sample}>{samplesOf(head, header)}</span>
              </Cell>
              <Cell>
                <div className={styles.becomes}>
                  <Combobox
                    aria-label={`${header} becomes`}
                    placeholder="Skip this column"
                    groups={groups}
                    create={(name) => ({
                      label: 'New field',
                      options: [{ value: `data.${name}`, label: `Contact field “${name}”` }],
                    })}
                    value={targetName(target) ?? skip}
                    text={targetInWords(targetName(target))}
                    onChange={(value) => choose(header, value)}
                  />
                  {keyOfTarget(targetName(target) ?? '') !== null && (
                    <Select
                      small
                      aria-label={`${header} is read as`}
                      options={readings}
                      value={readingOf(target)}
                      onChange={(reading) => onChange({ ...targets, [header]: withReading(target, reading) })}
                    />
                  )}
                </div>
              </Cell>
            </tr>
          ))}
        </Table>
      </section>
      <Preview head={head} targets={targets} />
    </>
  );
}

export function targetInWords(target: string | null): string {
  if (target === null) return 'Skip this column';
  const named = [...plainOptions, ...consentOptions].find(({ value }) => value === target);
  const topic = topicOfTarget(target);
  return named?.label ?? (topic === null ? (keyOfTarget(target) ?? target) : `Topic: ${topic}`);
}

function Preview({ head, targets }: { head: CsvHead; targets: Targets }) {
  const read = preview(head, targets, useTopicKeys());
  if ('problem' in read)
    return (
      <p className={styles.problem} role="alert">
        {read.problem}.
      </p>
    );
  if (read.rows.length === 0) return <p className={styles.none}>The file has no rows below its header.</p>;
  return (
    <section aria-label="Preview">
      <Table
        label="First rows as they will be stored"
        columns={[{ label: 'Email' }, { label: 'Data', extra: true }]}
      >
        {read.rows.map((row, index) => {
          const text = row.ok ? dataInWords(row.data) : `Skipped: ${row.error}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>
              <Cell clip>
                {row.email || 'None'}
                <SecondLine>{text}</SecondLine>
              </Cell>
              <Cell clip extra>
                {text}
              </Cell>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
