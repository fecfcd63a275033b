import { useQuery } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './audience-breakdown.module.css';

const reasons = [
  { key: 'unsubscribed', label: 'not subscribed' },
  { key: 'suppressed', label: 'on the suppression list' },
  { key: 'invalid', label: 'invalid address' },
  { key: 'sandbox', label: 'not a member, which the sandbox sender needs' },
] as const;

/** How many contacts would receive the campaign now, and how many would not, by reason. */
export function AudienceBreakdown({ campaign: { id } }: { campaign: Campaign }) {
  const audience = useQuery({
    ...useApi().campaigns.audience.queryOptions({ id }),
    // Counting is expensive in a large project, so it is not repeated on every window focus.
    refetchOnWindowFocus: false,
  });
  return (
    <Panel
      title="Recipients"
      aside={
        <Button
          kind="quiet"
          small
          icon="refresh"
          pending={audience.isFetching}
          onClick={() => void audience.refetch()}
        >
          Recount
        </Button>
      }
    >
      {audience.isPending && <Skeleton lines={4} label="Counting the audience" />}
      {audience.isError && !audience.data && <LoadFailure error={audience.error} retry={audience.refetch} />}
      {audience.data && (
        <table className={styles.parts}>
          <tbody>
            <tr>
              <th scope="row">In the audience</th>
              <td>{formatCount(audience.data.matched)}</td>
            </tr>
            {reasons.map(({ key, label }) => {
              const count = audience.data.skipped[key];
              if (count === undefined) return null;
              return (
                <tr key={key} className={styles.reason}>
                  <th scope="row">Excluded: {label}</th>
                  <td>{formatCount(count)}</td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Recipients</th>
              <td>{formatCount(audience.data.willSend)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </Panel>
  );
}
