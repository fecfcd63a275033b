import { useSearchParams } from 'react-router';
import { monthIn } from '../features/campaigns/campaign-calendar.rules.ts';
import { CampaignCalendar, MonthTurner } from '../features/campaigns/campaign-calendar.tsx';
import { useCampaignCalendar } from '../features/campaigns/use-campaign-calendar.ts';
import { useProject, useProjectPath } from '../lib/current.ts';
import { useNow } from '../lib/use-now.ts';
import { addMonths } from '../ui/calendar.rules.ts';
import { monthInWords } from '../ui/calendar.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const param = 'month';

/** The campaigns of a month, each on the day on which it starts or started. */
export function Component() {
  const to = useProjectPath();
  const { timeZone } = useProject();
  const [params, setParams] = useSearchParams();
  const month = monthIn(params.get(param) ?? '', useNow(), timeZone);
  const calendar = useCampaignCalendar(month);
  const turn = (months: number) =>
    setParams({ [param]: addMonths(month, months).slice(0, 7) }, { replace: true });
  return (
    <Page
      title="Calendar"
      back={{ to: to('campaigns'), label: 'Campaigns' }}
      intro={`Scheduled and sent campaigns, and the times of workflows, on the days of the project's time zone, ${timeZone.replaceAll('_', ' ')}.`}
    >
      {calendar.isError && !calendar.data && <LoadFailure error={calendar.error} retry={calendar.refetch} />}
      {calendar.data?.truncated && (
        <Notice tone="warn" title="Not everything is shown">
          <p>
            The calendar shows at most 1,000 entries, campaigns first. Workflows that run often may be
            missing.
          </p>
        </Notice>
      )}
      <Panel
        flush
        title={<span aria-live="polite">{monthInWords(month)}</span>}
        aside={<MonthTurner onTurn={turn} onToday={() => setParams({}, { replace: true })} />}
      >
        {calendar.isPending && <Skeleton lines={8} label="Loading the calendar" />}
        {calendar.data && <CampaignCalendar month={month} items={calendar.data.items} />}
      </Panel>
      {calendar.data?.items.length === 0 && !calendar.isPlaceholderData && (
        <p>No campaign starts in these weeks.</p>
      )}
    </Page>
  );
}
