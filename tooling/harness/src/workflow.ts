import { callApi } from './call-api.ts';
import type { TestProject } from './project.store.ts';

export interface Way {
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

/** A customer workflow, built through the public API step by step. */
export interface WorkflowBuilder {
  id: string;
  triggerId: string;
  /** Adds a step without an incoming transition. @returns its id */
  add(type: string, name: string, config: object, templateId?: string): Promise<string>;
  join(fromStepId: string, toStepId: string, way?: Way): Promise<void>;
  enable(): Promise<void>;
}

interface MadeWorkflow {
  id: string;
  steps: { id: string }[];
}

export async function createWorkflow(
  api: string,
  { secretKey }: TestProject,
  fields: { name: string; eventName: string },
): Promise<WorkflowBuilder> {
  const call = <Answer>(path: string, body: object, method: 'POST' | 'PATCH' = 'POST'): Promise<Answer> =>
    callApi<Answer>(api, secretKey, path, body, method);
  const { id, steps } = await call<MadeWorkflow>('/workflows', fields);
  const [trigger] = steps;
  if (!trigger) throw new Error('A new workflow has no TRIGGER step.');
  return {
    id,
    triggerId: trigger.id,
    async add(type, name, config, templateId) {
      const step = { type, name, config, templateId, position: { x: 0, y: 0 }, autoConnect: false };
      return (await call<{ id: string }>(`/workflows/${id}/steps`, step)).id;
    },
    async join(fromStepId, toStepId, way = {}) {
      await call(`/workflows/${id}/transitions`, { fromStepId, toStepId, ...way });
    },
    async enable() {
      await call(`/workflows/${id}`, { enabled: true }, 'PATCH');
    },
  };
}

/** @returns the id of a template that uses the data of the contact and the event */
export async function createTemplate(
  api: string,
  { secretKey, from }: TestProject,
  { name, type }: { name: string; type: 'TRANSACTIONAL' | 'MARKETING' },
): Promise<string> {
  const made = await callApi<{ id: string }>(api, secretKey, '/templates', {
    name,
    type,
    from,
    subject: `${name} {{code}}`,
    body: '<p>Dear {{email}}, your code is {{event.code}}.</p><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>',
  });
  return made.id;
}
