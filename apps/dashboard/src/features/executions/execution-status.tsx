import type { Execution } from '../../lib/api.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

interface Look {
  tone: Tone;
  label: string;
  meaning: string;
}

/** Every status in words. */
export const executionStatuses: Record<Execution['status'], Look> = {
  RUNNING: { tone: 'busy', label: 'Running', meaning: 'Takes its steps right now.' },
  WAITING: { tone: 'warn', label: 'Waiting', meaning: 'Waits for its time or for an event.' },
  COMPLETED: { tone: 'good', label: 'Completed', meaning: 'Went as far as the workflow goes.' },
  EXITED: { tone: 'good', label: 'Exited', meaning: 'Left at an exit step.' },
  FAILED: { tone: 'bad', label: 'Failed', meaning: 'Could not take a step.' },
  CANCELLED: { tone: 'calm', label: 'Cancelled', meaning: 'Was ended before it was through.' },
};

export function ExecutionStatus({ status }: Pick<Execution, 'status'>) {
  const { tone, label, meaning } = executionStatuses[status];
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}

/** Whether there is more to come. */
export const isActive = ({ status }: Pick<Execution, 'status'>): boolean =>
  status === 'RUNNING' || status === 'WAITING';

/** Why an execution ended where it did; empty when it went through, or has not ended. */
export const endInWords = ({ exitReason }: Pick<Execution, 'exitReason'>): string =>
  exitReason === 'exit_step' ? 'Left at an exit step' : (exitReason ?? '');

/** The step at which an execution is, or why it ended. */
export const whereabouts = (execution: Pick<Execution, 'status' | 'currentStep' | 'exitReason'>): string =>
  isActive(execution) ? (execution.currentStep?.name ?? '') : endInWords(execution);
