import { useQuery } from '@tanstack/react-query';
import { Link, useMatch } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { Notice } from '../../../ui/notice.tsx';

const staleMs = 60_000;

/** A rate of bounces or complaints that is above a limit, on every page but that of the rates. A disabled project has a notice of its own. */
export function ReputationBanner({ className }: { className: string | undefined }) {
  const { id, disabled } = useProject();
  const to = useProjectPath();
  const { data } = useQuery(useApi().reputation.security.queryOptions({ id }, { staleTime: staleMs }));
  const isShownThere = useMatch('/p/:projectId/reputation') !== null;
  if (!data || disabled || isShownThere) return null;
  const { violations, warnings } = data.status;
  const isCritical = violations.length > 0;
  const reasons = isCritical ? violations : warnings;
  if (reasons.length === 0) return null;
  return (
    <div className={className}>
      <Notice
        tone={isCritical ? 'bad' : 'warn'}
        title={
          isCritical
            ? 'The reputation of this project is critical'
            : 'The reputation of this project is at risk'
        }
        action={<Link to={to('reputation')}>Reputation</Link>}
      >
        <p>
          {reasons.join('; ')}.{' '}
          {isCritical ? 'Sending may be disabled.' : 'Providers may start to refuse its emails.'}
        </p>
      </Notice>
    </div>
  );
}
