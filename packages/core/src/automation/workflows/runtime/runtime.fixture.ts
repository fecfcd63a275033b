import type { StepType } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';

export interface GivenStep {
  type: StepType;
  config?: object;
  templateId?: string | null;
}

export interface GivenTransition {
  from: string;
  to: string;
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

export interface BuiltWorkflow {
  id: string;
  projectId: string;
  /** ids of steps by name */
  step(name: string): string;
  nameOf(stepId: string | null): string | null;
}

/** Inserts a workflow: a TRIGGER named `trigger` and the given steps, connected in their order unless transitions are given. */
export async function buildWorkflow(
  services: Services,
  projectId: string,
  steps: Record<string, GivenStep>,
  {
    transitions,
    eventName = 'signup',
    ...fields
  }: {
    transitions?: GivenTransition[];
    eventName?: string;
    allowReentry?: boolean;
    enabled?: boolean;
    triggerType?: 'EVENT' | 'MANUAL' | 'SCHEDULE';
    triggerConfig?: object;
  } = {},
): Promise<BuiltWorkflow> {
  const { prisma } = services.database;
  const id = newId();
  const all: Record<string, GivenStep> = { trigger: { type: 'TRIGGER', config: { eventName } }, ...steps };
  const ids = new Map(Object.keys(all).map((name) => [name, newId()]));
  const step = (name: string): string => {
    const found = ids.get(name);
    if (found === undefined) throw new Error(`no step is named ${name}`);
    return found;
  };
  await prisma.workflow.create({
    data: { id, projectId, name: 'Test', enabled: true, triggerConfig: { eventName }, ...fields },
  });
  await prisma.eventInterest.create({ data: { projectId, name: eventName, sourceId: id } });
  await prisma.workflowStep.createMany({
    data: Object.entries(all).map(([name, { type, config = {}, templateId = null }]) => ({
      id: step(name),
      projectId,
      workflowId: id,
      type,
      name,
      config,
      templateId,
    })),
  });
  const names = Object.keys(all);
  const chain = names.slice(1).map((to, index): GivenTransition => ({ from: names[index] ?? '', to }));
  await prisma.workflowTransition.createMany({
    data: (transitions ?? chain).map(({ from, to, branch = null, waitOutcome = null }) => ({
      id: newId(),
      projectId,
      workflowId: id,
      fromStepId: step(from),
      toStepId: step(to),
      branch,
      waitOutcome,
    })),
  });
  for (const { type, config } of Object.values(steps)) {
    if (type !== 'WAIT_FOR_EVENT') continue;
    const { eventName: name } = config as { eventName: string };
    await prisma.eventInterest.createMany({
      data: [{ projectId, name, sourceId: id }],
      skipDuplicates: true,
    });
  }
  const namesById = new Map([...ids].map(([name, stepId]) => [stepId, name]));
  return { id, projectId, step, nameOf: (stepId) => namesById.get(stepId ?? '') ?? null };
}

export async function buildContact(
  services: Services,
  projectId: string,
  { data = {}, subscribed = true }: { data?: object; subscribed?: boolean } = {},
): Promise<{ id: string; email: string }> {
  const id = newId();
  const email = `${id}@people.test`;
  await services.database.prisma.contact.create({ data: { id, projectId, email, data, subscribed } });
  return { id, email };
}

export async function buildTemplate(
  services: Services,
  projectId: string,
  {
    type = 'TRANSACTIONAL' as 'TRANSACTIONAL' | 'MARKETING',
    subject = 'Hi {{name}}',
    from = 'us@mail.test',
  } = {},
): Promise<string> {
  const id = newId();
  await services.database.prisma.template.create({
    data: {
      id,
      projectId,
      name: 'T',
      subject,
      body: '<p>{{event.plan}}</p>',
      from,
      type,
    },
  });
  return id;
}

/** Stores an event as the product does. */
export async function storeEvent(
  services: Services,
  { projectId, contactId, name, data }: { projectId: string; contactId: string; name: string; data?: object },
): Promise<string> {
  const id = newId();
  await services.database.prisma.event.create({
    data: { id, projectId, contactId, name, ...(data ? { data } : {}) },
  });
  return id;
}
