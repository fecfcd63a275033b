import { type Awaiting, eventsAwaited } from '../../../automation/workflows/awaited-events.rules.ts';
import type { TriggerType } from '../../../automation/workflows/contract.ts';
import {
  cancelReasons,
  type ExitReason,
  endReasons,
} from '../../../automation/workflows/exit-reasons.rules.ts';
import {
  type GraphStep,
  hasSeveralWays,
  reachableFrom,
} from '../../../automation/workflows/workflows.rules.ts';
import type { ExecutionStatus } from '../../../base/db/index.ts';
import { isReservedEvent } from '../../../base/event-types/event-types.rules.ts';
import {
  type Check,
  defineCheck,
  type Finding,
  type Link,
  link,
  type Next,
  next,
  nothing,
  onDay,
} from './check.rules.ts';
import { type Explained, linkOfAudit } from './email.rules.ts';
import { type EndFact, endedBy } from './ends.rules.ts';
import { type EntryFacts, filterBlocked, limitsBlocked } from './entry.rules.ts';
import type { AuditFact, PersonFacts, ProjectFacts } from './facts.rules.ts';
import { disabledProject } from './person.rules.ts';

export type WorkflowVerdict = 'ENTERED' | 'NOT_ENTERED';

export interface StepFact {
  id: string;
  type: GraphStep['type'];
  name: string;
  config: unknown;
}

export interface StepRunFact {
  stepId: string;
  status: string;
  scheduledFor: Date | null;
  output: Record<string, unknown> | null;
  error: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
}

export interface ExecutionFact {
  id: string;
  status: ExecutionStatus;
  currentStepId: string | null;
  exitReason: string | null;
  dueAt: Date | null;
  sourceEventId: string | null;
  startedAt: Date;
  completedAt: Date | null;
  /** the goal or exit rule that ended it */
  endedBy: EndFact | null;
  /** it took the holdout branch of a SPLIT */
  heldOut: boolean;
}

export interface EventFact {
  id: string;
  at: Date;
  isQueued: boolean;
  seq: bigint | null;
  /** whether its data meets the conditions of the trigger */
  isTaken: boolean;
}

export interface WorkflowFacts {
  project: ProjectFacts;
  workflow: {
    id: string;
    name: string;
    enabled: boolean;
    triggerType: TriggerType;
    /** of an EVENT workflow */
    eventName: string | null;
    allowReentry: boolean;
    /** since when its event triggers it */
    triggersSince: Date | null;
    triggersAfter: bigint | null;
    /** `errors`: too many failures have disabled it */
    disabledReason: string | null;
    createdAt: Date;
  };
  person: PersonFacts;
  /** the newest, and one before it */
  executions: readonly ExecutionFact[];
  steps: readonly StepFact[];
  transitions: readonly { fromStepId: string; toStepId: string }[];
  /** versions to which those were moved that began with the version of the newest execution, in order */
  moves: readonly { version: number; at: Date }[];
  /** of the newest execution */
  runs: readonly StepRunFact[];
  /** the events of its trigger for the contact, newest first */
  events: readonly EventFact[];
  entry: EntryFacts;
  /** of the newest execution, oldest first, with why each is where it is */
  emails: readonly { id: string; to: string; status: string; at: Date; finding: Finding | null }[];
  /** of the workflow, of the execution and of the contact, oldest first */
  audit: readonly AuditFact[];
}

interface Run extends WorkflowFacts {
  execution: ExecutionFact;
}

const pageOf = ({ workflow }: WorkflowFacts, execution?: ExecutionFact): string =>
  `workflows/${workflow.id}${execution ? `/executions/${execution.id}` : ''}`;

/** Why a contact is in a workflow, got as far as it did, or never entered (behaviour B15.8). */
export function explainWorkflow(facts: WorkflowFacts): Explained<WorkflowVerdict> {
  const [execution] = facts.executions;
  const history = facts.audit.map(linkOfAudit);
  if (!execution) {
    const finding = notEntered(facts);
    return { ...finding, verdict: 'NOT_ENTERED', links: [...history, ...eventsOf(facts), ...finding.links] };
  }
  const run = { ...facts, execution };
  const links = [...history, ...startOf(run), ...movesOf(run), ...runsOf(run)];
  const blocked = reentryBlocked(run);
  if (blocked) return { ...blocked, verdict: 'NOT_ENTERED', links: [...links, ...blocked.links] };
  const finding = statusChecks[execution.status](run);
  return { ...finding, verdict: 'ENTERED', links: [...links, ...passedEvents(run), ...finding.links] };
}

// Not entered

const enable = (facts: WorkflowFacts, text: string): Next =>
  next('workflows.update', text, { input: { id: facts.workflow.id, enabled: true }, page: pageOf(facts) });

const start = (facts: WorkflowFacts, text: string): Next =>
  next('workflows.startExecution', text, {
    input: { id: facts.workflow.id, contactId: facts.person.contact?.id ?? facts.person.address },
    page: pageOf(facts),
  });

const eventsOf = ({ events, workflow }: WorkflowFacts): Link[] =>
  events.map(({ at, id }) =>
    link('event', 'information', `The event ${workflow.eventName ?? ''} of the trigger happened`, {
      at,
      facts: { eventId: id },
    }),
  );

/** Whether an event that is dispatched would start an execution: what was stored before the workflow was enabled does not. */
const isLateEnough = (
  { triggersSince, triggersAfter }: WorkflowFacts['workflow'],
  event: { at: Date; seq: bigint | null },
): boolean =>
  triggersSince === null ||
  event.at >= triggersSince ||
  (event.seq !== null && triggersAfter !== null && event.seq > triggersAfter);

const disabledBy = ({ audit, workflow }: WorkflowFacts): AuditFact | undefined =>
  audit.findLast(
    ({ operation, targetId, changed }) =>
      operation === 'workflows.update' && targetId === workflow.id && changed.includes('enabled'),
  );

/** Its failures have disabled it. */
const disabledByErrors = defineCheck<WorkflowFacts>((facts) => {
  const { workflow, audit } = facts;
  const act = audit.findLast(
    ({ operation, targetId }) => operation === 'workflows.disableByErrors' && targetId === workflow.id,
  );
  return {
    cause: 'workflow_disabled_by_errors',
    headline: `The workflow “${workflow.name}” was disabled, because too many of its executions failed`,
    links: [
      link('workflow', 'stopped', 'Too many executions failed, and the workflow was disabled', {
        at: act?.at ?? null,
        actor: act?.actor ?? null,
        ref: { type: 'workflow', id: workflow.id },
      }),
    ],
    next: [
      next('workflows.retryExecutions', 'Correct the step that fails, and retry what failed', {
        input: { id: workflow.id },
        page: `${pageOf(facts)}/executions?status=FAILED`,
      }),
      enable(facts, 'Then enable the workflow'),
    ],
  };
});

function notEntered(facts: WorkflowFacts): Finding {
  const { workflow, project, person } = facts;
  if (!workflow.enabled && workflow.disabledReason === 'errors') return disabledByErrors(facts);
  if (!workflow.enabled) {
    const act = disabledBy(facts);
    return {
      cause: 'not_enabled',
      headline: `The workflow “${workflow.name}” is not enabled`,
      links: [
        link(
          'workflow',
          'stopped',
          act ? 'The workflow was disabled' : 'The workflow was never enabled since it is recorded',
          {
            at: act?.at ?? null,
            actor: act?.actor ?? null,
            ref: { type: 'workflow', id: workflow.id },
          },
        ),
      ],
      next: [enable(facts, 'Enable the workflow')],
    };
  }
  const events = facts.events.filter(({ isTaken }) => isTaken);
  const [newest] = events;
  const [passed] = facts.events;
  if (!newest) return passed ? triggerFilter(facts, passed) : (byContact(facts) ?? noEvent(facts));
  const queued = events.find((event) => event.isQueued && isLateEnough(workflow, event));
  if (queued) {
    return {
      cause: 'event_queued',
      headline: 'The event is about to be dispatched',
      links: [
        link('queue', 'waiting', 'The event waits in the event queue', {
          at: queued.at,
          facts: { eventId: queued.id },
        }),
      ],
      next: [nothing('Look again in a moment')],
    };
  }
  if (!isLateEnough(workflow, newest)) {
    return {
      cause: 'event_before_enabled',
      headline: 'The event happened before the workflow was enabled',
      links: [
        link('workflow', 'stopped', 'The workflow was enabled after the event', {
          at: workflow.triggersSince,
          actor: disabledBy(facts)?.actor ?? null,
          facts: { eventAt: newest.at, triggersSince: workflow.triggersSince },
          ref: { type: 'workflow', id: workflow.id },
        }),
      ],
      next: [start(facts, 'Start the workflow for the contact by hand')],
    };
  }
  const wasDisabled = project.suspensions.some(
    ({ at, liftedAt }) => at <= newest.at && (liftedAt === null || liftedAt > newest.at),
  );
  if (wasDisabled)
    return {
      ...disabledProject(project, newest.at),
      next: [...disabledProject(project, newest.at).next, start(facts, 'Then start the workflow by hand')],
    };
  const blocked = ruleBlocked(facts, newest.at) ?? goneBlocked(facts);
  if (blocked) return blocked;
  return {
    cause: 'unknown',
    headline: 'The event happened while the workflow was enabled; why it started nothing is not recorded',
    links: [
      link('workflow', 'unknown', 'Nothing that is stored says why the event started no execution', {
        at: newest.at,
        facts: {
          eventAt: newest.at,
          triggersSince: workflow.triggersSince,
          contactCreatedAt: person.contact?.createdAt ?? null,
        },
      }),
    ],
    next: [start(facts, 'Start the workflow for the contact by hand')],
  };
}

/** The event happened, and its data is not what the trigger asks for. */
const triggerFilter = (facts: WorkflowFacts, { id, at }: EventFact): Finding => ({
  cause: 'trigger_filter',
  headline: `The event ${facts.workflow.eventName ?? ''} happened, but its data does not meet the conditions of the trigger`,
  links: [
    link('trigger', 'stopped', 'The data of the event does not meet the conditions of the trigger', {
      at,
      facts: { eventId: id },
      ref: { type: 'workflow', id: facts.workflow.id },
    }),
  ],
  next: [
    next('workflows.update', 'Change the conditions of the trigger', {
      input: { id: facts.workflow.id },
      page: pageOf(facts),
    }),
    start(facts, 'Start the workflow for the contact by hand'),
  ],
});

/** Which rule of the workflow keeps the contact out that wanted to enter at a time. */
function ruleBlocked(facts: WorkflowFacts, at: Date): Finding | null {
  const { contact } = facts.person;
  if (!contact) return null;
  const asked = { workflow: facts.workflow, contact, entry: facts.entry, at, now: facts.project.now };
  return filterBlocked(asked) ?? (facts.workflow.allowReentry ? limitsBlocked(asked) : null);
}

/** An earlier entry whose execution is no longer stored. */
const goneBlocked = (facts: WorkflowFacts): Finding | null =>
  facts.workflow.allowReentry || facts.entry.record === null
    ? null
    : {
        cause: 'reentry_blocked',
        headline: 'The contact was in the workflow before, which allows no second entry',
        links: [
          link('entry', 'stopped', 'The contact entered before; that execution is no longer stored', {
            at: facts.entry.record.lastAt,
            facts: { allowReentry: false },
            ref: { type: 'workflow', id: facts.workflow.id },
          }),
        ],
        next: [allowReentry(facts)],
      };

const allowReentry = (facts: WorkflowFacts): Next =>
  next('workflows.update', 'Allow re-entry', {
    input: { id: facts.workflow.id, allowReentry: true },
    page: pageOf(facts),
  });

/** Of triggers that wait for no event: by a date of the contact, or by its creation. */
function byContact(facts: WorkflowFacts): Finding | null {
  const { workflow, person, entry } = facts;
  const { contact } = person;
  if (!contact) return null;
  const ref = { type: 'workflow', id: workflow.id } as const;
  if (workflow.triggerType === 'CONTACT') {
    if (workflow.triggersSince === null || contact.createdAt >= workflow.triggersSince)
      return ruleBlocked(facts, contact.createdAt);
    return {
      cause: 'contact_existed',
      headline: 'The contact existed before the workflow was enabled, which new contacts enter',
      links: [
        link('contact', 'stopped', 'The contact was created before the workflow was enabled', {
          at: contact.createdAt,
          facts: { createdAt: contact.createdAt, triggersSince: workflow.triggersSince },
          ref,
        }),
      ],
      next: [start(facts, 'Start the workflow for the contact by hand')],
    };
  }
  if (workflow.triggerType !== 'DATE' || entry.date === null) return null;
  const { field, value, next: coming } = entry.date;
  if (coming !== null)
    return {
      cause: 'no_event',
      headline: `The contact enters on ${coming.day}, by its date in ${field}`,
      links: [
        link('date', 'waiting', `The next occurrence of ${field} has not come yet`, {
          facts: { field, date: value, occurrence: coming.day, at: coming.at },
          ref,
        }),
      ],
      next: [start(facts, 'Start the workflow for the contact by hand')],
    };
  return {
    cause: 'no_date',
    headline: `The contact has no date in ${field} that is still to come`,
    links: [
      link('date', 'stopped', `There is no date ahead in ${field}`, { facts: { field, date: value }, ref }),
    ],
    next: [
      next('contacts.update', 'Store a date in the field', {
        input: { id: contact.id },
        page: `contacts/${contact.id}`,
      }),
      start(facts, 'Start the workflow for the contact by hand'),
    ],
  };
}

function noEvent(facts: WorkflowFacts): Finding {
  const { workflow, person } = facts;
  const words = {
    EVENT: `The event ${workflow.eventName ?? ''} of its trigger never happened to the contact`,
    MANUAL: 'The workflow starts by hand only, and was not started for the contact',
    SCHEDULE: 'No time of its schedule has found the contact',
    DATE: 'No date of the contact has come since the workflow was enabled',
    CONTACT: 'The contact is not new since the workflow was enabled',
  }[workflow.triggerType];
  const headline = person.contact ? words : 'No contact has this address, so nothing happened to it';
  return {
    cause: 'no_event',
    headline,
    links: [
      link('event', 'stopped', headline, {
        facts: {
          triggerType: workflow.triggerType,
          ...(workflow.eventName === null ? {} : { eventName: workflow.eventName }),
        },
        ref: { type: 'workflow', id: workflow.id },
      }),
    ],
    next: [
      // What Postrider itself reports cannot be recorded.
      ...(workflow.triggerType === 'EVENT' && !isReservedEvent(workflow.eventName ?? '')
        ? [next('events.record', 'Record the event', { input: { name: workflow.eventName }, page: 'events' })]
        : []),
      start(facts, 'Start the workflow for the contact by hand'),
    ],
  };
}

const isActive = ({ status }: ExecutionFact): boolean => status === 'RUNNING' || status === 'WAITING';

/** An event after the end of the last execution that was let in by nothing. */
function reentryBlocked(facts: Run): Finding | null {
  const { workflow, execution, events } = facts;
  const newest = events.find(({ isTaken }) => isTaken);
  const endedAt = execution.completedAt;
  if (isActive(execution) || !newest || !endedAt || newest.at <= endedAt || newest.isQueued) return null;
  const blocked = ruleBlocked(facts, newest.at);
  if (blocked || workflow.allowReentry) return blocked;
  return {
    cause: 'reentry_blocked',
    headline: 'The contact was in the workflow before, which allows no second entry',
    links: [
      link('event', 'stopped', 'The event happened again, and the earlier execution kept it out', {
        at: newest.at,
        facts: { eventId: newest.id, allowReentry: false },
        ref: { type: 'execution', id: execution.id },
      }),
    ],
    next: [allowReentry(facts)],
  };
}

/** Events after the start that changed nothing about this run. */
const passedEvents = ({ events, execution, workflow }: Run): Link[] =>
  events
    .filter(({ id, at }) => id !== execution.sourceEventId && at > execution.startedAt)
    .map(({ id, at }) =>
      link(
        'event',
        'information',
        `The event ${workflow.eventName ?? ''} happened again, during the execution`,
        {
          at,
          facts: { eventId: id },
        },
      ),
    );

// Entered

function startOf({ execution, workflow, executions }: Run): Link[] {
  const earlier = executions[1];
  const how =
    execution.sourceEventId === null
      ? workflow.triggerType === 'SCHEDULE'
        ? 'The schedule, or a start by hand, brought the contact into the workflow'
        : 'The contact was started by hand'
      : `The event ${workflow.eventName ?? ''} brought the contact into the workflow`;
  return [
    ...(earlier
      ? [
          link('execution', 'information', `An earlier execution ended as ${earlier.status}`, {
            at: earlier.completedAt ?? earlier.startedAt,
            ref: { type: 'execution', id: earlier.id },
          }),
        ]
      : []),
    link('execution', 'passed', how, {
      at: execution.startedAt,
      facts: { sourceEventId: execution.sourceEventId },
      ref: { type: 'execution', id: execution.id },
    }),
  ];
}

/** Publishes that moved the execution while it was active. */
const movesOf = ({ moves, execution, workflow }: Run): Link[] =>
  moves
    .filter(({ at }) => at > execution.startedAt && (!execution.completedAt || at <= execution.completedAt))
    .map(({ version, at }) =>
      link(
        'moved_version',
        'information',
        `Version ${version} was published for everybody: the execution went on by it`,
        {
          at,
          facts: { version },
          ref: { type: 'workflow', id: workflow.id },
        },
      ),
    );

/** Steps that were run, with the emails that they wrote. */
function runsOf({ runs, steps, emails }: Run): Link[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const linksOfRuns = runs
    .filter(({ status }) => status === 'COMPLETED' || status === 'FAILED')
    .map(({ stepId, status, completedAt, startedAt, output, error }) => {
      const step = byId.get(stepId);
      const name = step ? `“${step.name}”` : 'that was deleted since';
      const way =
        typeof output?.branch === 'string'
          ? `, on the branch ${output.branch}`
          : typeof output?.waitOutcome === 'string'
            ? `, by ${output.waitOutcome}`
            : '';
      return link(
        'step',
        status === 'FAILED' ? 'stopped' : 'passed',
        status === 'FAILED'
          ? `The step ${name} failed: ${error ?? 'why is not recorded'}`
          : `The step ${name} was done${way}`,
        {
          at: completedAt ?? startedAt,
          facts: {
            stepId,
            type: step?.type ?? null,
            ...(output && step?.type === 'CONDITION' ? decisionOf(output) : {}),
          },
        },
      );
    });
  const linksOfEmails = emails.map(({ id, to, status, at, finding }) =>
    link(
      'email',
      finding ? 'stopped' : 'information',
      `An email to ${to || 'an erased address'} is ${status}${finding ? `: ${finding.headline}` : ''}`,
      {
        at,
        facts: { cause: finding?.cause ?? null },
        ref: { type: 'email', id },
      },
    ),
  );
  return [...linksOfRuns, ...linksOfEmails];
}

const decisionOf = ({
  field,
  operator,
  expectedValue,
  actualValue,
}: Record<string, unknown>): Record<string, unknown> => ({
  field,
  operator,
  expectedValue,
  actualValue,
});

const currentStep = ({ execution, steps }: Run): StepFact | undefined =>
  steps.find(({ id }) => id === execution.currentStepId);

/** The events that a step waits for. */
function awaitedBy(step: StepFact | undefined): string[] {
  if (step?.type !== 'WAIT_FOR_EVENT') return [];
  return [...new Set(eventsAwaited((step.config ?? {}) as Awaiting).map(({ eventName }) => eventName))];
}

const waiting: Check<Run> = defineCheck((facts) => {
  const { execution, runs } = facts;
  const step = currentStep(facts);
  const run = runs.find(({ stepId }) => stepId === execution.currentStepId);
  const until = execution.dueAt ?? run?.scheduledFor ?? null;
  const events = awaitedBy(step);
  const [event = null] = events;
  const awaited = event === null ? '' : ` for the event ${events.join(' or ')}`;
  const where = step ? ` at the step “${step.name}”${awaited}` : '';
  return {
    cause: 'waiting',
    headline:
      execution.status === 'RUNNING'
        ? `It is running${where}`
        : `It waits${where}${until ? ` until ${onDay(until)}` : ''}`,
    links: [
      link(
        'step',
        'waiting',
        execution.status === 'RUNNING' ? `The execution runs${where}` : `The execution waits${where}`,
        {
          facts: { stepId: execution.currentStepId, type: step?.type ?? null, until },
          ref: { type: 'execution', id: execution.id },
        },
      ),
    ],
    next: [
      event !== null && !isReservedEvent(event)
        ? next('events.record', `Record the event ${event} for the contact, if it has happened`, {
            input: { name: event, contactId: facts.person.contact?.id ?? null },
            page: 'events',
          })
        : nothing(
            event === null ? 'It goes on by itself' : `It goes on with the event ${event}`,
            pageOf(facts, execution),
          ),
    ],
  };
});

/** The newest email of the run that did not leave, or came back, with what stopped it. */
function emailOf({ emails }: Run): Finding | null {
  const finding = emails.findLast((email) => email.finding !== null)?.finding;
  if (!finding) return null;
  return { ...finding, links: finding.links.filter(({ outcome }) => decisive.has(outcome)) };
}

const decisive: ReadonlySet<string> = new Set<Link['outcome']>(['stopped', 'unknown']);

/** Steps that send email and were led past: by a decision that took another way. */
function ledPast({
  runs,
  steps,
  transitions,
}: Run): { decision: StepFact; missed: StepFact; output: Record<string, unknown> | null } | null {
  const done = new Map(runs.map((run) => [run.stepId, run]));
  for (const decision of steps) {
    const run = done.get(decision.id);
    if (run?.status !== 'COMPLETED' || !hasSeveralWays(decision.type)) continue;
    const behind = reachableFrom([decision.id], transitions);
    const missed = steps.find(({ id, type }) => type === 'SEND_EMAIL' && behind.has(id) && !done.has(id));
    if (missed) return { decision, missed, output: run.output };
  }
  return null;
}

const endOf = (
  facts: Run,
  outcome: 'stopped' | 'information' | 'unknown',
  text: string,
  more: Partial<Link> = {},
): Link =>
  link('execution', outcome, text, {
    at: facts.execution.completedAt,
    ref: { type: 'execution', id: facts.execution.id },
    ...more,
  });

/** The draw of a SPLIT has left the contact without the emails, so that what they change can be told. */
const heldOut: Check<Run> = defineCheck((facts) => {
  const split = facts.steps.find(({ id, type, config }) => {
    const { holdout } = (config ?? {}) as { holdout?: unknown };
    const run = facts.runs.find(({ stepId }) => stepId === id);
    return type === 'SPLIT' && holdout !== undefined && run?.output?.branch === holdout;
  });
  const where = split ? `the step “${split.name}”` : 'a SPLIT step';
  return {
    cause: 'held_out',
    headline: `The draw of ${where} holds the contact out, to be compared with the others`,
    links: [
      endOf(facts, 'stopped', `The contact took the holdout branch of ${where}`, {
        facts: { stepId: split?.id ?? null },
      }),
    ],
    next: [
      nothing('The draw is the same again for the contact', pageOf(facts, facts.execution)),
      ...(split
        ? [
            next('workflows.updateStep', 'Or end the comparison: give the branch no share', {
              input: { id: facts.workflow.id, stepId: split.id },
              page: pageOf(facts),
            }),
          ]
        : []),
    ],
  };
});

const completed: Check<Run> = defineCheck((facts) => {
  const email = emailOf(facts);
  if (email) return email;
  if (facts.execution.heldOut) return heldOut(facts);
  const past = ledPast(facts);
  if (past) {
    const { decision, missed, output } = past;
    const way = typeof output?.branch === 'string' ? output.branch : output?.waitOutcome;
    return {
      cause: 'branch',
      headline: `The step “${decision.name}” led past the email “${missed.name}”`,
      links: [
        endOf(
          facts,
          'stopped',
          `The step “${decision.name}” took the way ${String(way ?? '')}, past the email “${missed.name}”`,
          {
            facts: { ...decisionOf(output ?? {}), branch: way ?? null, missed: missed.id },
          },
        ),
      ],
      next: [
        next('workflows.updateStep', 'Change the decision', {
          input: { id: facts.workflow.id, stepId: decision.id },
          page: pageOf(facts),
        }),
      ],
    };
  }
  return {
    cause: 'ended',
    headline: 'The contact went through the workflow to its end',
    links: [endOf(facts, 'information', 'The execution ended')],
    next: [nothing('There is nothing more in this workflow', pageOf(facts, facts.execution))],
  };
});

const failed: Check<Run> = defineCheck((facts) => {
  const { execution, runs } = facts;
  if (execution.exitReason === endReasons.restored) return reasonChecks[endReasons.restored](facts);
  const run = runs.findLast(({ status }) => status === 'FAILED');
  const step = facts.steps.find(({ id }) => id === (run?.stepId ?? execution.currentStepId));
  const error = run?.error ?? execution.exitReason;
  const isDeleted = execution.exitReason === endReasons.stepDeleted;
  return {
    cause: 'step_failed',
    headline: isDeleted
      ? reasonChecks[endReasons.stepDeleted](facts).headline
      : `The step ${step ? `“${step.name}”` : 'that was deleted since'} failed: ${error ?? 'why is not recorded'}`,
    links:
      isDeleted || !run
        ? [
            endOf(
              facts,
              error === null ? 'unknown' : 'stopped',
              error ?? 'Why the execution failed is not recorded',
            ),
          ]
        : [],
    next: [
      step
        ? next('workflows.updateStep', 'Correct the step, then retry', {
            input: { id: facts.workflow.id, stepId: step.id },
            page: pageOf(facts),
          })
        : start(facts, 'Start the workflow for the contact again'),
      ...(step
        ? [
            next('workflows.retryExecution', 'Retry from this step', {
              input: { id: facts.workflow.id, executionId: execution.id },
              page: pageOf(facts, execution),
            }),
          ]
        : []),
    ],
  };
});

const exited: Check<Run> = defineCheck((facts) => {
  const email = emailOf(facts);
  if (email) return email;
  const { exitReason, endedBy: end } = facts.execution;
  if (end)
    return endedBy(end, {
      workflowId: facts.workflow.id,
      executionId: facts.execution.id,
      endedAt: facts.execution.completedAt,
    });
  if (facts.execution.heldOut) return heldOut(facts);
  if (exitReason === endReasons.moved) return reasonChecks[endReasons.moved](facts);
  return exitReason !== null && exitReason !== endReasons.exitStep
    ? exitOf(facts, `An EXIT step ended it: ${exitReason}`)
    : reasonChecks[endReasons.exitStep](facts);
});

const exitOf = (facts: Run, text: string): Finding => ({
  cause: 'exited',
  headline: text,
  links: [endOf(facts, 'stopped', text, { facts: { exitReason: facts.execution.exitReason } })],
  next: [nothing('The workflow is made to end here', pageOf(facts))],
});

const cancelled: Check<Run> = defineCheck((facts) => {
  const email = emailOf(facts);
  if (email) return email;
  const { exitReason } = facts.execution;
  const known = Object.values(cancelReasons).find((each) => each === exitReason);
  return reasonChecks[known ?? cancelReasons.user](facts);
});

const again = (facts: Run): Next[] => [start(facts, 'Start the workflow for the contact again')];

/** A check of each reason that Postrider itself gives for the end of an execution. */
export const reasonChecks: Record<ExitReason, Check<Run>> = {
  [endReasons.restored]: defineCheck((facts) => ({
    cause: 'step_failed',
    headline:
      'The installation was restored from a backup, and what the execution did since that was made is not known',
    links: [endOf(facts, 'stopped', 'The execution was due in the time that the restore has lost')],
    next: [
      next('workflows.retryExecution', 'Retry from where it was', {
        input: { id: facts.workflow.id, executionId: facts.execution.id },
        page: pageOf(facts, facts.execution),
      }),
    ],
  })),
  [cancelReasons.user]: defineCheck((facts) => {
    const act = facts.audit.findLast(
      ({ operation, targetId }) =>
        (operation === 'workflows.cancelExecution' && targetId === facts.execution.id) ||
        (operation === 'workflows.cancelAllExecutions' && targetId === facts.workflow.id),
    );
    return {
      cause: 'cancelled',
      headline: act ? `The execution was cancelled by ${act.actor.label}` : 'The execution was cancelled',
      links: [endOf(facts, 'stopped', 'The execution was cancelled', { actor: act?.actor ?? null })],
      next: again(facts),
    };
  }),
  [cancelReasons.project]: defineCheck((facts) =>
    disabledProject(facts.project, facts.execution.completedAt),
  ),
  [cancelReasons.merged]: defineCheck((facts) => ({
    cause: 'cancelled',
    headline: 'The contact became one with another, which is in the workflow',
    links: [endOf(facts, 'stopped', cancelReasons.merged)],
    next: [nothing('The other execution goes on', pageOf(facts, facts.execution))],
  })),
  [endReasons.moved]: defineCheck((facts) => ({
    cause: 'moved_version',
    headline:
      'A new version of the workflow, to which everybody was moved, does not have the step at which the contact was',
    links: [endOf(facts, 'stopped', endReasons.moved)],
    next: again(facts),
  })),
  [endReasons.stepDeleted]: defineCheck((facts) => ({
    cause: 'step_failed',
    headline: 'The step at which the contact was is deleted',
    links: [endOf(facts, 'stopped', endReasons.stepDeleted)],
    next: again(facts),
  })),
  [endReasons.exitStep]: defineCheck((facts) => exitOf(facts, 'An EXIT step ended it')),
};

/** A check of each status of an execution. */
const statusChecks: Record<ExecutionStatus, Check<Run>> = {
  RUNNING: waiting,
  WAITING: waiting,
  COMPLETED: completed,
  EXITED: exited,
  FAILED: failed,
  CANCELLED: cancelled,
};
