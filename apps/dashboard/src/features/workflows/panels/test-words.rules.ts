import { stepDefinition } from '@postrider/core/automation/workflows/contract';
import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import type { ExecutionDetail, StepExecution, WorkflowStep } from '../../../lib/api.ts';
import type { StepMark } from '../canvas/graph-context.ts';
import { storyOf } from '../executions/step-story.rules.ts';
import { amountOf, delayInWords } from '../steps/delay.rules.ts';
import { awaitedInWords } from '../steps/wait-draft.rules.ts';
import { namesOf } from '../steps/wait-for-event.ts';

/** What a step of a test run would do; the time at which a wait would end follows a text that ends with “until”. */
export function testWords(
  taken: Pick<StepExecution, 'status' | 'output' | 'error' | 'scheduledFor' | 'step'>,
  settings: Pick<WorkflowStep, 'config'> | undefined,
): string {
  const output = taken.output ?? {};
  if (taken.status === 'SKIPPED') return 'Would be left here, by a goal or an exit rule';
  if (taken.status === 'FAILED' || !taken.step) return storyOf(taken, settings).text;
  switch (taken.step.type) {
    case 'SEND_EMAIL':
      return output['skipped']
        ? `Would skip the email to ${output['recipientEmail']}: ${reasonInWords(String(output['skipped']))}`
        : `Would send “${output['subject']}” to ${output['recipientEmail']}`;
    case 'WEBHOOK':
      return `Would request ${output['method']} ${output['url']}`;
    case 'UPDATE_CONTACT':
      return `Would change the contact: ${storyOf(taken, settings).text}`;
    case 'DELAY':
      return `Would wait ${output['delayAmount'] ? amountOf(output['delayAmount'], output['delayUnit']) : delayInWords(settings?.config ?? {})}, until`;
    case 'WAIT_FOR_EVENT':
      if (taken.status === 'WAITING') return 'Would go on waiting';
      return output['waitOutcome'] === 'EVENT'
        ? `Would wait for “${awaitedInWords(settings?.config ?? {}) || output['eventName']}”, and go on when it occurs`
        : `Would wait for ${namesOf(output)} and time out, after waiting until`;
    default:
      return storyOf(taken, settings).text;
  }
}

/** Whether a workflow has a step whose wait can end in two ways. */
export const canTimeOut = ({ type, config }: Pick<WorkflowStep, 'type' | 'config'>): boolean => {
  const { waysOut } = stepDefinition(type);
  return waysOut.kind === 'outcomes' && waysOut.of(config).length > 1;
};

/** The labels of the steps that would fail or be skipped; the others are coloured as taken. */
export const testMarks = ({
  stepExecutions,
}: Pick<ExecutionDetail, 'stepExecutions'>): Record<string, StepMark[]> =>
  Object.fromEntries(
    stepExecutions.flatMap(({ stepId, status, output }): [string, StepMark[]][] => {
      if (status === 'FAILED') return [[stepId, [{ tone: 'bad', text: 'would fail' }]]];
      return output?.['skipped'] ? [[stepId, [{ tone: 'warn', text: 'would be skipped' }]]] : [];
    }),
  );
