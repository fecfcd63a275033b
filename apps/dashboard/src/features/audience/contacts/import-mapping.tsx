import { keyOfTarget } from '@postrider/core/audience/contacts/contract';
import { Combobox } from '../../../ui/combobox.tsx';
import { Cell, SecondLine, Table } from '../../../ui/table.tsx';
import { dataInWords } from '../events/data-in-words.rules.ts';
import { type CsvHead, preview, samplesOf } from './csv-head.rules.ts';
import styles from './import-mapping.module.css';
import { useKnownFields } from './use-known-fields.ts';

const skip = 'skip';

export type Targets = Readonly<Record<string, string | null>>;

interface ImportMappingProps {
  head: CsvHead;
  targets: Targets;
  onChange: (targets: Targets) => void;
}

/** What the columns of a file become, and the first contacts as they will be stored. */
export function ImportMapping({ head, targets, onChange }: ImportMappingProps) {
  const known = useKnownFields();
  const names = [...new Set([...known.map(({ name }) => name), ...head.headers])];
  const groups = [
    {
      label: 'Column',
      options: [
        { value: 'email', label: 'Email address' },
        { value: skip, label: 'Skip this column' },
      ],
    },
    { label: 'Contact fields', options: names.map((name) => ({ value: `data.${name}`, label: name })) },
  ];
  const choose = (header: string, value: string) => {
    const others = Object.entries(targets).map(([each, target]) =>
      // Only one column is the address.
      value === 'email' && target === 'email' ? ([each, null] as const) : ([each, target] as const),
    );
    onChange({ ...Object.fromEntries(others), [header]: value === skip ? null : value });
  };
  return (
    <>
      <section aria-label="Columns">
        <Table label="Columns" columns={[{ label: 'Column' }, { label: 'Becomes' }]}>
          {head.headers.map((header) => (
            <tr key={header}>
              <Cell clip>
                {header}
                <span className={styles.sample}>{samplesOf(head, header)}</span>
              </Cell>
              <Cell>
                <Combobox
                  aria-label={`${header} becomes`}
                  placeholder="Skip this column"
                  groups={groups}
                  create={(name) => ({
                    label: 'New field',
                    options: [{ value: `data.${name}`, label: `Contact field “${name}”` }],
                  })}
                  value={targets[header] ?? skip}
                  text={inWords(targets[header] ?? null)}
                  onChange={(value) => choose(header, value)}
                />
              </Cell>
            </tr>
          ))}
        </Table>
      </section>
      <Preview head={head} targets={targets} />
    </>
  );
}

function inWords(target: string | null): string {
  if (target === null) return 'Skip this column';
  return target === 'email' ? 'Email address' : (keyOfTarget(target) ?? target);
}

function Preview({ head, targets }: { head: CsvHead; targets: Targets }) {
  const rows = preview(head, targets);
  if (rows === null)
    return (
      <p className={styles.problem} role="alert">
        Select the column that has the email addresses.
      </p>
    );
  if (rows.length === 0) return <p className={styles.none}>The file has no rows below its header.</p>;
  return (
    <section aria-label="Preview">
      <Table
        label="First rows as they will be stored"
        columns={[{ label: 'Email' }, { label: 'Data', extra: true }]}
      >
        {rows.map((row, index) => {
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
