import type { Domain } from '../../../lib/api.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import styles from './record-list.module.css';
import { relativeName } from './zone-file.rules.ts';

type DnsRecord = Domain['records'][number];

const purposes: Record<DnsRecord['purpose'], string> = {
  DKIM: 'Signs your emails',
  SPF: 'Authorizes the return-path',
  MX: 'Receives bounces',
  DMARC: 'Sets the policy for forged emails',
};

/** The records to create at the DNS provider, ready to be copied field by field. */
export function RecordList({ records, zone }: { records: DnsRecord[]; zone: string }) {
  return (
    <ul className={styles.list}>
      {records.map((record) => (
        <li key={`${record.type} ${record.name}`} className={styles.record}>
          <div className={styles.head}>
            <strong>{record.type}</strong>
            <span>
              {purposes[record.purpose]} ({record.purpose}), {record.required ? 'required' : 'recommended'}
            </span>
            <Found found={record.found} />
          </div>
          <Value label="Host" text={relativeName(record.name, zone)} />
          <Value label="Full name" text={record.name} />
          {record.priority !== undefined && <Value label="Priority" text={String(record.priority)} />}
          <Value label="Value" text={record.value} />
        </li>
      ))}
    </ul>
  );
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.value}>
      <span className={styles.label}>{label}</span>
      <code>{text}</code>
      <CopyButton text={text} label={label.toLowerCase()} />
    </div>
  );
}

function Found({ found }: Pick<DnsRecord, 'found'>) {
  const [icon, word, tone]: [IconName, string, string | undefined] =
    found === null
      ? ['question', 'Not checked yet', styles.open]
      : found
        ? ['check', 'Found', styles.found]
        : ['cross', 'Not found', styles.missing];
  return (
    <span className={`${styles.mark} ${tone}`}>
      <Icon name={icon} size={14} />
      {word}
    </span>
  );
}
