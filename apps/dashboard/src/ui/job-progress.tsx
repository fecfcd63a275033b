import { type ReactNode, useEffect } from 'react';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import styles from './job-progress.module.css';
import { LoadFailure, Notice } from './notice.tsx';
import { Progress } from './progress.tsx';

/** A background job as the API reports it. */
interface Job<Result> {
  state: string;
  progress: number;
  waitsFor: 'engine' | null;
  failedReason: string | null;
  result: Result | null;
}

/** What is said of a job that waits for the engine. */
export const jobWaits = 'Begins when the workflow engine is back';

const isOver = ({ state }: { state: string }): boolean => state === 'completed' || state === 'failed';

interface JobProgressProps<Result> {
  /** What the job is doing. */
  label: string;
  /** The error of a failed job for which the API gives no reason. */
  failure: string;
  job: { data: Job<Result> | undefined; isError: boolean; error: unknown; refetch: () => unknown };
  /** Stable, because an effect depends on it. */
  onOver: () => unknown;
  onClose: () => void;
  /** What else can be done once the job is over. */
  next?: ReactNode;
  /** Shows the result. */
  children: (result: Result) => ReactNode;
}

/** Shows the progress and the result of a job in a dialog. The job continues when the dialog is closed. */
export function JobProgress<Result>(props: JobProgressProps<Result>) {
  const { label, failure, job, onOver, onClose, next, children } = props;
  const { data } = job;
  const over = data !== undefined && isOver(data);
  useEffect(() => {
    if (over) void onOver();
  }, [over, onOver]);
  return (
    <>
      <div className={styles.job} role="status">
        {job.isError && !data && <LoadFailure error={job.error} retry={job.refetch} />}
        {!over && !job.isError && (
          <Progress label={data?.waitsFor ? jobWaits : label} value={data?.progress ?? null} />
        )}
        {over &&
          (data.state === 'failed' || data.result === null ? (
            <Notice tone="bad" title={data.failedReason ?? failure} />
          ) : (
            children(data.result)
          ))}
      </div>
      <DialogActions>
        {over && next}
        <Button kind={over ? 'primary' : 'plain'} onClick={onClose}>
          {over ? 'Done' : 'Close and continue in background'}
        </Button>
      </DialogActions>
    </>
  );
}
