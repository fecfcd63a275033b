import type { CampaignReport } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RankTable } from '../../../ui/rank-table.tsx';
import styles from './report.module.css';

type Parts = Pick<CampaignReport, 'clients' | 'devices'>;

const devicesInWords: Record<Parts['devices'][number]['device'], string> = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  other: 'Other',
};
const namesByKind: Record<Parts['clients'][number]['kind'], (client: string) => string> = {
  person: (client) => client,
  proxy: (client) => `${client} (proxy)`,
  machine: () => 'Scanners and prefetching',
};

/** The programs that opened and clicked. Those that are no people are named as such; they are not part of the rates. */
export const ClientsPanel = (parts: Parts) => (
  <Panel title="Mail clients and devices">
    <Clients {...parts} />
  </Panel>
);

export function Clients({ clients, devices }: Parts) {
  return (
    <>
      {clients.length === 0 && <EmptyState icon="screen" title="No opens or clicks yet" />}
      {clients.length > 0 && (
        <div className={styles.parts}>
          <RankTable
            label="Mail clients"
            head={['Client', 'Opens', 'Clicks']}
            ranks={clients.slice(0, 12).map(({ client, kind, opens, clicks }) => ({
              key: `${client} ${kind}`,
              name: namesByKind[kind](client),
              count: opens,
              more: [formatCount(clicks)],
            }))}
          />
          {devices.length > 0 && (
            <RankTable
              label="Devices"
              head={['Device', 'Opens', 'Clicks']}
              ranks={devices.map(({ device, opens, clicks }) => ({
                key: device,
                name: devicesInWords[device],
                count: opens,
                more: [formatCount(clicks)],
              }))}
            />
          )}
        </div>
      )}
    </>
  );
}
