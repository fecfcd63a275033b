import type { Domain } from '../../../lib/api.ts';
import { downloadText } from '../../../lib/download.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RecordList } from './record-list.tsx';
import styles from './records-panel.module.css';
import { recordsAsText, zoneFile } from './zone-file.rules.ts';

interface Zone {
  name: string;
  nameServers: string[];
}

/** The records to create, with the names that the forms of DNS providers expect. */
export function RecordsPanel({ domain: { domain, records }, zone }: { domain: Domain; zone: Zone | null }) {
  const origin = zone?.name ?? domain;
  return (
    <Panel
      title={plural(records.length, 'DNS record')}
      aside={
        <span className={styles.actions}>
          <CopyButton text={recordsAsText(records)} label="all records" word="Copy all" />
          <Button
            small
            icon="download"
            onClick={() => downloadText(`${domain}.zone`, zoneFile(records, origin), 'text/dns')}
          >
            Zone file
          </Button>
        </span>
      }
      flush
    >
      {zone && (
        <p className={styles.zone}>
          The records belong in the zone <strong>{zone.name}</strong>
          {zone.nameServers.length > 0 && <> (name servers {zone.nameServers.slice(0, 2).join(', ')})</>}.
          Host is the name without the zone, as most DNS providers ask for it.
        </p>
      )}
      <RecordList records={records} zone={origin} />
    </Panel>
  );
}
