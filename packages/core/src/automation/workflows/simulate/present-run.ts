import type { Services } from '../../../base/kernel/index.ts';
import { findTemplate } from '../../../content/templates/index.ts';
import { previewTemplate } from '../../../mail/sending/index.ts';
import type { SetProject } from '../runtime/member.ts';
import type { WorkflowRow } from '../workflows.store.ts';
import { isActive, type ReachedStep, type Run, type VirtualEmail } from './runs.ts';

/** Rendered subjects, by email. */
export type Subjects = ReadonlyMap<VirtualEmail, string>;

/** Renders the subjects of the emails of executions, as they would be sent. */
export async function subjectsOf(
  services: Services,
  project: SetProject,
  runs: readonly Run[],
): Promise<Map<VirtualEmail, string>> {
  const subjects = new Map<VirtualEmail, string>();
  const templates = new Map<string, ReturnType<typeof findTemplate>>();
  for (const email of new Set(runs.flatMap(({ person }) => person.emails))) {
    const { templateId, contact, vars } = email;
    const asked = templates.get(templateId) ?? findTemplate(services.database.prisma, project.id, templateId);
    templates.set(templateId, asked);
    const template = await asked;
    if (!template) continue;
    const { subject } = await previewTemplate(services, project, template, { ...contact, data: vars });
    subjects.set(email, subject);
  }
  return subjects;
}

/** An execution in the form of the API. */
export function presentRun(
  { id: workflowId, name }: Pick<WorkflowRow, 'id' | 'name'>,
  run: Run,
  subjects: Subjects,
) {
  const { member, person, entry, status, at, exitReason, completedAt } = run;
  const steps = [...run.steps.values()];
  const changedAt = completedAt ?? run.now;
  const here = at === null ? undefined : run.steps.get(at)?.step;
  const subjectOf = new Map(
    person.emails.flatMap((email) => {
      const subject = subjects.get(email);
      return subject === undefined ? [] : [[email.output, subject] as const];
    }),
  );
  return {
    id: member.id,
    workflowId,
    contactId: member.contact.id,
    status,
    currentStepId: at,
    exitReason,
    context: member.context,
    version: steps[0]?.version ?? null,
    retries: 0,
    failedStepKey: status === 'FAILED' ? (here?.key ?? null) : null,
    heldOut: run.heldOut,
    sourceEventId: entry.eventId,
    startedAt: entry.at,
    completedAt: isActive(run) ? null : completedAt,
    createdAt: entry.at,
    updatedAt: changedAt,
    workflow: { id: workflowId, name },
    contact: { id: member.contact.id, email: member.contact.email },
    currentStep: here ? { id: here.id, name: here.name, type: here.type } : null,
    stepExecutions: steps.map((step) => presentStep(member.id, step, subjectOf)),
  };
}

function presentStep(
  executionId: string,
  { id, step, status, startedAt, completedAt, scheduledFor, output, error, version }: ReachedStep,
  subjectOf: ReadonlyMap<object, string>,
) {
  const subject = output === null ? undefined : subjectOf.get(output);
  return {
    id,
    executionId,
    stepId: step.id,
    stepKey: step.key,
    status,
    scheduledFor,
    output: subject === undefined ? output : { ...output, subject },
    error,
    failures: [],
    version,
    startedAt,
    completedAt,
    createdAt: startedAt,
    updatedAt: completedAt ?? startedAt,
    step: { id: step.id, name: step.name, type: step.type },
  };
}
