import { Button } from '../../ui/button.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AudienceSummary } from './audience-summary.tsx';
import styles from './live-audience.module.css';
import type { useLiveAudience } from './use-live-audience.ts';

export type LiveAudienceState = ReturnType<typeof useLiveAudience>;

/** The audience as it is chosen now, with its count. */
export function LiveAudience({ audience }: { audience: LiveAudienceState }) {
  const { data, error, isCounting, refetch } = audience;
  if (error) return <LoadFailure error={error} retry={refetch} />;
  if (data) {
    return (
      <div className={styles.live}>
        <AudienceSummary audience={data} busy={isCounting} />
        <Button kind="quiet" small icon="refresh" pending={isCounting} onClick={() => void refetch()}>
          Recount
        </Button>
      </div>
    );
  }
  if (isCounting) return <Skeleton lines={2} label="Counting the audience" />;
  return <p className={styles.hint}>Complete the audience to see how many contacts will get this email.</p>;
}
