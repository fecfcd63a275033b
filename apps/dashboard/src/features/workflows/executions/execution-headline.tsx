import type { ExecutionDetail } from '../../../lib/api.ts';
import styles from '../../../ui/split.module.css';
import { Moment } from '../../../ui/time.tsx';
import { ExecutionStatus, endInWords, executionStatuses } from './execution-status.tsx';

/** The current step of an execution, or how it ended, in one line. */
export function ExecutionHeadline({ execution }: { execution: ExecutionDetail }) {
  const { status, currentStep, stepExecutions } = execution;
  const current = stepExecutions.find(({ stepId }) => stepId === execution.currentStepId);
  const end = endInWords(execution);
  const isPlainExit = execution.exitReason === 'exit_step';
  return (
    <span className={styles.status}>
      <ExecutionStatus status={status} />
      {status === 'RUNNING' && currentStep && <span>At “{currentStep.name}”.</span>}
      {status === 'WAITING' && currentStep && (
        <span>
          Waiting at “{currentStep.name}”
          {current?.scheduledFor ? (
            <>
              {' until '}
              <Moment at={current.scheduledFor} />
            </>
          ) : (
            ', with no time limit'
          )}
          .
        </span>
      )}
      {status === 'COMPLETED' && executionStatuses.COMPLETED.meaning}
      {status === 'EXITED' && `${isPlainExit ? end : `Exited: ${end}`}.`}
      {status === 'CANCELLED' && `${end}.`}
    </span>
  );
}
