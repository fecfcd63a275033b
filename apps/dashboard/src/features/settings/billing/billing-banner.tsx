import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { useBillingEnabled } from '../../../lib/use-configuration.ts';
import { Notice } from '../../../ui/notice.tsx';
import { usageLabels } from './usage-labels.ts';

const staleMs = 60_000;

/** A limit that is near or reached, on every page. */
export function BillingBanner({ className }: { className: string | undefined }) {
  const { id } = useProject();
  const to = useProjectPath();
  const enabled = useBillingEnabled();
  const { data } = useQuery(useApi().billing.limits.queryOptions({ id }, { enabled, staleTime: staleMs }));
  if (!data) return null;
  const near = usageLabels.flatMap(({ category, label }) => {
    const usage = data[category];
    return usage?.isWarning ? [{ label, isBlocked: usage.isBlocked }] : [];
  });
  if (near.length === 0) return null;
  const isBlocked = near.some((each) => each.isBlocked);
  return (
    <div className={className}>
      <Notice
        tone="warn"
        title={isBlocked ? 'A limit of this month is reached' : 'A limit of this month is near'}
        action={<Link to={to('billing')}>Billing</Link>}
      >
        <p>
          {near.map(({ label }) => label).join(', ')}
          {isBlocked && ': further emails are refused until the next month, or until the limit is raised.'}
        </p>
      </Notice>
    </div>
  );
}
