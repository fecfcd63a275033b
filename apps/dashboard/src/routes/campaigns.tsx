import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listedFigures } from '../features/campaigns/campaign-figures.rules.ts';
import { CampaignSelectionBar } from '../features/campaigns/campaign-selection-bar.tsx';
import { campaignStatusNames } from '../features/campaigns/campaign-status.tsx';
import { CampaignTable } from '../features/campaigns/campaign-table.tsx';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useColumns } from '../lib/use-columns.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const statusOptions = [
  ...keysOf(campaignStatusNames).map((value) => ({ value, label: campaignStatusNames[value] })),
  { value: 'PAUSED' as const, label: 'Paused' },
];

/** The columns that may be hidden. */
const hideable = [
  'Status',
  { value: 'Audience', label: 'Audience', isDefault: false },
  { value: 'Recipients', label: 'Recipients', isDefault: false },
  'Sent',
  ...listedFigures.map(({ label }) => label),
  'Converted',
  'When',
];

export function Component() {
  const to = useProjectPath();
  const state = useListState();
  const columns = useColumns('campaigns', state, hideable);
  const { search, page } = state;
  const status = state.filter('status', statusOptions);
  const exported = status === 'PAUSED' ? 'SENDING' : status;
  const sort = state.sort('createdAt');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useQuery({
    ...useApi().campaigns.list.queryOptions({
      page,
      sort: sort.by,
      dir: sort.direction,
      ...(status === 'PAUSED' ? { paused: true } : status && { status }),
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const campaigns = list.data?.data ?? [];
  const isFiltered = state.isFiltered('status');
  /** Nothing is there yet, so the list itself offers the one action. */
  const isEmpty = list.isSuccess && campaigns.length === 0 && !isFiltered;
  const create = (
    <ButtonLink kind="primary" icon="plus" to={to('campaigns/new')}>
      New campaign
    </ButtonLink>
  );
  return (
    <Page
      title="Campaigns"
      intro="One email to many contacts, with a status for every recipient."
      actions={
        !isEmpty && (
          <>
            <ExportButton
              request={{ type: 'campaigns', ...(exported && { status: exported }) }}
              what={exported ? 'campaigns of this status' : 'all campaigns'}
            />
            <ButtonLink icon="calendar" to={to('campaigns/calendar')}>
              Calendar
            </ButtonLink>
            {create}
          </>
        )
      }
    >
      <ListFrame
        label="Campaigns"
        search={{ label: 'Search campaigns', text: state.text, onChange: state.setText }}
        filters={
          <Filter
            label="Status"
            value={status}
            options={statusOptions}
            onChange={(value) => state.setFilter('status', value)}
          />
        }
        columns={columns}
        selection={
          selected.size > 0 && (
            <CampaignSelectionBar selected={selected} onClear={() => setSelected(new Set())} />
          )
        }
        query={list}
        shown={campaigns.length}
        isFiltered={isFiltered}
        onClear={state.clear}
        empty={{
          icon: 'campaign',
          title: 'No campaigns yet',
          text: <p>Write one email for all your contacts, a segment, or those that match a filter.</p>,
          action: create,
        }}
        pages={state.pagesOf(list.data)}
      >
        <CampaignTable
          campaigns={campaigns}
          sorting={{ ...sort, onSort: state.setSort }}
          selected={selected}
          onSelect={setSelected}
        />
      </ListFrame>
    </Page>
  );
}
