import { useQuery } from '@tanstack/react-query';
import { InvoiceTable } from '../features/settings/billing/invoice-table.tsx';
import { LimitsForm } from '../features/settings/billing/limits-form.tsx';
import { Plan } from '../features/settings/billing/plan.tsx';
import { UsageBars } from '../features/settings/billing/usage-bars.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { formatAmount } from '../lib/format.ts';
import { useBillingEnabled } from '../lib/use-configuration.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame, Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Moment } from '../ui/time.tsx';

export function Component() {
  return (
    <Page title="Billing" intro="This month's emails, the limits, and the subscription of this project.">
      {useBillingEnabled() ? (
        <>
          <Limits />
          <Subscription />
          <Invoices />
        </>
      ) : (
        <Frame label="Billing">
          <EmptyState icon="card" title="Billing is off">
            <p>
              This installation has no limits for projects and does not charge for use. Its operator can turn
              billing on.
            </p>
          </EmptyState>
        </Frame>
      )}
    </Page>
  );
}

function Limits() {
  const project = useProject();
  const limits = useQuery(useApi().billing.limits.queryOptions({ id: project.id }));
  return (
    <>
      <Panel title="Usage this month">
        {limits.isPending && <Skeleton lines={3} label="Loading usage" />}
        {limits.isError && <LoadFailure error={limits.error} retry={limits.refetch} />}
        {limits.data && <UsageBars limits={limits.data} />}
      </Panel>
      {limits.data && isLeader(project) && project.subscription !== null && (
        <Panel title="Limits">
          <LimitsForm limits={limits.data} />
        </Panel>
      )}
    </>
  );
}

function Subscription() {
  const { id } = useProject();
  const consumption = useQuery(useApi().billing.consumption.queryOptions({ id }));
  const { credits, upcomingInvoice } = consumption.data ?? {};
  return (
    <Panel title="Subscription">
      <Plan />
      {consumption.isError && <LoadFailure error={consumption.error} retry={consumption.refetch} />}
      <Facts>
        {upcomingInvoice && (
          <Fact name="Next invoice">
            {formatAmount(upcomingInvoice.total, upcomingInvoice.currency)} on{' '}
            <Moment at={upcomingInvoice.periodEnd} />
          </Fact>
        )}
        {credits?.hasCredits && (
          <Fact name="Credit">{formatAmount(credits.creditAmount, credits.currency)}</Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Invoices() {
  const { id } = useProject();
  const list = useQuery(useApi().billing.invoices.queryOptions({ id }));
  return (
    <Frame label="Invoices">
      {list.isPending && <Skeleton lines={3} label="Loading invoices" />}
      {list.isError && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data && list.data.invoices.length > 0 && <InvoiceTable invoices={list.data.invoices} />}
      {list.data?.invoices.length === 0 && <EmptyState title="No invoices yet" />}
    </Frame>
  );
}
