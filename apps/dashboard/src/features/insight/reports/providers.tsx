import type { Campaign, CampaignReport } from '../../../lib/api.ts';
import { formatPercent } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RankTable } from '../../../ui/rank-table.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import { providerName } from '../analytics/provider-names.ts';

interface ProvidersProps extends Pick<CampaignReport, 'providers'> {
  campaign: Campaign;
}

/** The mailbox providers of the recipients; one with much lower rates than the others points to a problem of delivery. */
export const Providers = ({ campaign: { name }, providers }: ProvidersProps) => (
  <Panel
    title="Mailbox providers"
    aside={
      providers.length > 0 && (
        <CsvButton
          name={`${name} mailbox providers`}
          head={['Provider', 'Sent', 'Accepted', 'Accepted %', 'Opened %', 'Clicked %', 'Bounced %']}
          rows={providers.map((each) => [
            providerName(each.provider),
            each.sent,
            each.accepted,
            each.acceptRate,
            each.openRate,
            each.clickRate,
            each.bounceRate,
          ])}
        />
      )
    }
  >
    {providers.length === 0 ? (
      <EmptyState icon="mail" title="Nothing sent yet" />
    ) : (
      <RankTable
        label="Mailbox providers"
        head={['Provider', 'Sent', 'Accepted', 'Opened', 'Clicked', 'Bounced']}
        ranks={providers
          .slice(0, 12)
          .map(({ provider, sent, acceptRate, openRate, clickRate, bounceRate }) => ({
            key: provider,
            name: providerName(provider),
            count: sent,
            more: [acceptRate, openRate, clickRate, bounceRate].map(formatPercent),
          }))}
      />
    )}
  </Panel>
);
