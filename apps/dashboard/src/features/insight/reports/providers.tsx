import type { CampaignReport } from '../../../lib/api.ts';
import { formatPercent } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RankTable } from '../../../ui/rank-table.tsx';
import { providerName } from '../analytics/provider-names.ts';

/** The mailbox providers of the recipients; one with much lower rates than the others points to a problem of delivery. */
export const Providers = ({ providers }: Pick<CampaignReport, 'providers'>) => (
  <Panel title="Mailbox providers">
    {providers.length === 0 ? (
      <EmptyState icon="mail" title="Nothing sent yet" />
    ) : (
      <RankTable
        label="Mailbox providers"
        head={['Provider', 'Sent', 'Opened', 'Clicked', 'Bounced']}
        ranks={providers.slice(0, 12).map(({ provider, sent, openRate, clickRate, bounceRate }) => ({
          key: provider,
          name: providerName(provider),
          count: sent,
          more: [openRate, clickRate, bounceRate].map(formatPercent),
        }))}
      />
    )}
  </Panel>
);
