import type { Execution } from '../../../lib/api.ts';
import { Chip, type Tone } from '../../../ui/chip.tsx';

interface Look {
  tone: Tone;
  label: string;
  meaning: string;
}

/** Display names of the statuses. */
export const executionStatuses: Record<Execution['status'], Look> = {
  RUNNING: { tone: 'busy', label: 'Running', meaning: 'Running a step right now.' },
  WAITING: { tone: 'warn', label: 'Waiting', meaning: 'Waiting for a time or an event.' },
  COMPLETED: { tone: 'good', label: 'Completed', meaning: 'Reached the end.' },
  EXITED: { tone: 'good', label: 'Exited', meaning: 'Ended at an exit step.' },
  FAILED: { tone: 'bad', label: 'Failed', meaning: 'A step failed.' },
  CANCELLED: { tone: 'calm', label: 'Cancelled', meaning: 'Cancelled before it reached the end.' },
};

export function ExecutionStatus({ status }: Pick<Execution, 'status'>) {
  const { tone, label, meaning } = executionStatuses[status];
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}

/** Whether the execution has not ended yet. */
export const isActive = ({ status }: Pick<Execution, 'status'>): boolean =>
  status === 'RUNNING' || status === 'WAITING';

/** Why an execution ended; empty when it reached the end or is still active. */
export const endInWords = ({ exitReason }: Pick<Execution, 'exitReason'>): string =>
  exitReason === 'exit_step' ? 'Ended at an exit step' : (exitReason ?? '');

/** The current step of an execution, or why it ended. */
export const whereabouts = (execution: Pick<Execution, 'status' | 'currentStep' | 'exitReason'>): string =>
  isActive(execution) ? (execution.currentStep?.name ?? '') : endInWords(execution);
