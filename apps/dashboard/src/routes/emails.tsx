import { useQuery } from '@tanstack/react-query';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { CampaignFilter } from '../features/emails/campaign-filter.tsx';
import { emailStatuses, StatusLegend } from '../features/emails/email-status.tsx';
import { EmailTable } from '../features/emails/email-table.tsx';
import { ScheduledTable } from '../features/emails/scheduled-table.tsx';
import { sourceNames } from '../features/emails/source.ts';
import { useEmailList } from '../features/emails/use-email-list.ts';
import { browserZone, startOf } from '../features/insight/analytics/period.rules.ts';
import { RequestExample } from '../features/settings/keys/request-example.tsx';
import { sendRequest } from '../features/settings/keys/requests.ts';
import { useApi } from '../lib/api.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useColumns } from '../lib/use-columns.ts';
import { type ListState, useListState } from '../lib/use-list-state.ts';
import { addDays, isDay } from '../ui/calendar.rules.ts';
import { DayRange } from '../ui/day-range.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Segments } from '../ui/segments.tsx';
import { Filter, TextFilter } from '../ui/toolbar.tsx';

const statusOptions = keysOf(emailStatuses).map((value) => ({ value, label: emailStatuses[value].label }));
const sourceOptions = keysOf(sourceNames).map((value) => ({ value, label: sourceNames[value] }));

const mostTemplates = 100;

/** The days of the address as instants in the zone of the browser; the last day is included. */
function timesOf(from: string, to: string): { from?: string; to?: string } {
  const at = (day: string): string => new Date(startOf(day, browserZone())).toISOString();
  return { ...(isDay(from) && { from: at(from) }), ...(isDay(to) && { to: at(addDays(to, 1)) }) };
}

const views = [
  { value: 'all', label: 'All' },
  { value: 'scheduled', label: 'Scheduled' },
] as const;

/** The columns that may be hidden. */
const hideable = ['Status', 'Subject', 'Origin', 'Created'];

/** Removes the search and the filters, and stays in the same view. */
function clearFilters(state: ListState): void {
  state.setText('');
  for (const name of ['source', 'campaign', 'template', 'from', 'to']) state.setFilter(name, '');
}

const noEmails = {
  icon: 'mail',
  title: 'No emails yet',
  text: <RequestExample title="Send your first email" build={sendRequest} />,
} as const;

const nothingScheduled = {
  icon: 'clock',
  title: 'Nothing is scheduled',
  text: 'Emails that are sent with a time (scheduledAt) wait here until then.',
} as const;

export function Component() {
  const state = useListState();
  const columns = useColumns('emails', state, hideable);
  const { search } = state;
  const isScheduled = state.filter('view', views) === 'scheduled';
  const status = isScheduled ? 'SCHEDULED' : state.filter('status', statusOptions);
  const sourceType = state.filter('source', sourceOptions);
  const campaignId = state.param('campaign');
  const templateId = state.param('template');
  const tag = state.param('tag');
  const metadata = state.param('metadata');
  const [from, to] = [state.param('from'), state.param('to')];
  const time = timesOf(from, to);
  const templates = useQuery(useApi().templates.list.queryOptions({ pageSize: mostTemplates }));
  const filters = {
    ...(status && { status }),
    ...(sourceType && { sourceType }),
    ...(campaignId && { campaignId }),
    ...(templateId && { templateId }),
    ...(tag && { tag }),
    ...(search && { search }),
    ...time,
  };
  const shown = { ...filters, ...(metadata && { metadata }) };
  const list = useEmailList(isScheduled ? { ...shown, sort: 'scheduledAt', dir: 'asc' } : shown);
  return (
    <Page
      title="Emails"
      intro={
        isScheduled
          ? 'Emails that wait for their time, soonest first.'
          : campaignId
            ? 'Emails of one campaign and their status.'
            : 'All emails and their status.'
      }
      actions={
        <>
          <Segments
            label="Emails to show"
            options={views}
            value={isScheduled ? 'scheduled' : 'all'}
            onChange={(view) => {
              state.setFilter('view', view === 'all' ? '' : view);
              state.setFilter('status', '');
            }}
          />
          {/* An export is of a list, and a pair of metadata names few emails. */}
          {metadata === '' && (
            <ExportButton
              request={{ type: 'emails', ...filters }}
              what={Object.keys(filters).length > 0 ? 'the emails shown' : 'all emails'}
            />
          )}
        </>
      }
    >
      <ListFrame
        label={isScheduled ? 'Scheduled emails' : 'Emails'}
        search={{ label: 'Search addresses and subjects', text: state.text, onChange: state.setText }}
        filters={
          <>
            {!isScheduled && (
              <Filter
                label="Status"
                value={status}
                options={statusOptions}
                onChange={(value) => state.setFilter('status', value)}
              />
            )}
            <Filter
              label="Origin"
              value={sourceType}
              options={sourceOptions}
              onChange={(value) => state.setFilter('source', value)}
            />
            <CampaignFilter value={campaignId} onChange={(value) => state.setFilter('campaign', value)} />
            {templates.data && templates.data.data.length > 0 && (
              <Filter
                label="Template"
                value={templateId}
                options={templates.data.data.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(value) => state.setFilter('template', value)}
              />
            )}
            <TextFilter
              label="Tag"
              placeholder="receipt"
              maxLength={64}
              value={tag}
              onChange={(value) => state.setFilter('tag', value)}
            />
            <TextFilter
              label="Metadata"
              placeholder="orderId:1001"
              maxLength={541}
              value={metadata}
              onChange={(value) => state.setFilter('metadata', value)}
            />
            <DayRange from={from} to={to} onChange={state.setFilter} />
          </>
        }
        {...(!isScheduled && { columns })}
        query={list}
        shown={list.emails.length}
        isFiltered={state.isFiltered(
          'status',
          'source',
          'campaign',
          'template',
          'tag',
          'metadata',
          'from',
          'to',
        )}
        onClear={isScheduled ? () => clearFilters(state) : state.clear}
        empty={isScheduled ? nothingScheduled : noEmails}
        more={{ query: list, total: list.total }}
      >
        {isScheduled ? <ScheduledTable emails={list.emails} /> : <EmailTable emails={list.emails} />}
      </ListFrame>
      <StatusLegend />
    </Page>
  );
}
