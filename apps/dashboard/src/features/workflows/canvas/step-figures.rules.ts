import { stepDefinition } from '@postrider/core/automation/workflows/contract';
import type { WorkflowFigures, WorkflowStep } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import type { Way } from '../steps/outlets.rules.ts';
import type { StepMark } from './graph-context.ts';

type StepFigures = WorkflowFigures['steps'][number];

/** The figures of a step as its marks: who is there, who came, and who failed; of one that sends email, what became of it. */
export const marksOf = ({
  entered,
  here,
  failed,
  email,
}: Pick<StepFigures, 'entered' | 'here' | 'failed' | 'email'>): StepMark[] => [
  ...markOf(here, 'here', 'busy', 'Executions that are at this step now'),
  ...(email && email.sent > 0
    ? [
        ...markOf(email.sent, 'sent', 'sent', 'Emails sent by this step'),
        ...markOf(email.opened, 'opened', 'opened', 'Emails of this step that were opened'),
        ...markOf(email.clicked, 'clicked', 'clicked', 'Emails of this step in which a link was clicked'),
      ]
    : markOf(entered, 'entered', 'calm', 'Executions that came to this step')),
  ...markOf(failed, 'failed', 'bad', 'Executions that failed at this step'),
];

const markOf = (count: number, word: string, tone: StepMark['tone'], title: string): StepMark[] =>
  count === 0 ? [] : [{ tone, text: `${formatCount(count)} ${word}`, title }];

/** The branches of a step as the ways out of it. */
export const waysOf = (
  { id: stepId, type }: Pick<WorkflowStep, 'id' | 'type'>,
  { branches }: Pick<StepFigures, 'branches'>,
): Way[] =>
  branches.map(({ branch, taken, share }) => ({
    stepId,
    ...(stepDefinition(type).waysOut.kind === 'outcomes'
      ? { branch: null, waitOutcome: branch === 'TIMEOUT' ? ('TIMEOUT' as const) : ('EVENT' as const) }
      : { branch, waitOutcome: null }),
    taken,
    share,
  }));
