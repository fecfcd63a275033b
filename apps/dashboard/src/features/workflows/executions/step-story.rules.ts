import type { StepExecution, WorkflowStep } from '../../../lib/api.ts';
import type { Tone } from '../../../ui/chip.tsx';
import { stepView } from '../steps/step-views.ts';

type Json = Readonly<Record<string, unknown>>;
type Taken = Pick<StepExecution, 'status' | 'output' | 'error' | 'scheduledFor' | 'step'>;
type Settings = Pick<WorkflowStep, 'config'> | undefined;

export interface Story {
  /** ends with a preposition when a time follows */
  text: string;
  tone: Tone;
  /** when it continues; shown after the text */
  until: string | null;
  /** the email it created */
  emailId: string | null;
}

const tones: Readonly<Record<StepExecution['status'], Tone>> = {
  PENDING: 'busy',
  SCHEDULED: 'warn',
  WAITING: 'warn',
  RUNNING: 'busy',
  COMPLETED: 'good',
  SKIPPED: 'calm',
  FAILED: 'bad',
};

/**
 * @param settings the settings of the step; absent if they are not known
 * @param goesOn whether another step was taken after it
 */
export function storyOf(taken: Taken, settings: Settings, goesOn = false): Story {
  const output = taken.output ?? {};
  const isGood = output['success'] !== false && !output['skipped'];
  return {
    text: goesOn && taken.status === 'SKIPPED' ? left : textOf(taken, output, settings?.config ?? {}),
    tone: taken.status === 'COMPLETED' && !isGood ? 'warn' : tones[taken.status],
    until: isUnderWay(taken) ? taken.scheduledFor : null,
    emailId: typeof output['emailId'] === 'string' ? output['emailId'] : null,
  };
}

/** Contacts at a step that a new version does not have continue elsewhere, as do contacts who reach a goal that jumps. */
const left = 'Left for another step, by a goal or since the workflow was changed';

const isUnderWay = ({ status }: Taken): boolean =>
  status === 'PENDING' || status === 'SCHEDULED' || status === 'WAITING' || status === 'RUNNING';

function textOf(taken: Taken, output: Json, config: Json): string {
  if (taken.status === 'FAILED') return taken.error ?? 'Failed';
  if (taken.status === 'SKIPPED') return 'Cancelled with the execution';
  if (isUnderWay(taken)) return underWay(taken, output, config);
  return taken.step ? stepView(taken.step.type).completed(output, config) : 'Done';
}

function underWay(taken: Taken, output: Json, config: Json): string {
  const view = taken.step && stepView(taken.step.type);
  return view?.underWay?.({ scheduledFor: taken.scheduledFor, output }, config) ?? 'Running';
}
