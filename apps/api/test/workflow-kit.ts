import { type Answer, codeOf, type Send } from './harness.ts';

/** A step as `POST /workflows/:id/steps` accepts it. */
export const stepBody = (type: string, config: object = {}, more: object = {}): Record<string, unknown> => ({
  type,
  name: type,
  position: { x: 0, y: 0 },
  config,
  ...more,
});

export const delayBody = (more: object = {}): Record<string, unknown> =>
  stepBody('DELAY', { amount: 1, unit: 'days' }, more);

/** A refusal in a test table: status, code, and for 422 the first field with its code. */
export function refusalOf(answer: Answer): (string | number | undefined)[] {
  const error = answer.body?.error?.errors?.[0];
  return [answer.status, codeOf(answer), ...(error ? [`${error.field}: ${error.code}`] : [])];
}

/** Creates and reads workflows through REST. */
export function editorOf(send: Send) {
  const workflow = async (more: object = {}): Promise<string> => {
    const answer = await send('POST', '/workflows', { name: 'Flow', eventName: 'signup', ...more });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.id;
  };
  const add = async (id: string, body: object): Promise<string> => {
    const answer = await send('POST', `/workflows/${id}/steps`, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.id;
  };
  const join = (id: string, fromStepId: string, toStepId: string, more: object = {}): Promise<Answer> =>
    send('POST', `/workflows/${id}/transitions`, { fromStepId, toStepId, ...more });
  const get = async (id: string) => (await send('GET', `/workflows/${id}`)).body;
  const trigger = async (id: string): Promise<string> => (await get(id)).steps[0].id;
  /** `from>to` with the names of steps, followed by branch or outcome */
  const arrows = async (id: string): Promise<string[]> => {
    const { steps, transitions } = (await get(id)) as {
      steps: { id: string; name: string }[];
      transitions: {
        fromStepId: string;
        toStepId: string;
        branch: string | null;
        waitOutcome: string | null;
      }[];
    };
    const nameOf = (stepId: string) => steps.find((step) => step.id === stepId)?.name.split(':')[0] ?? '?';
    return transitions
      .map(({ fromStepId, toStepId, branch, waitOutcome }) => {
        const outcome = branch ?? waitOutcome;
        return `${nameOf(fromStepId)}>${nameOf(toStepId)}${outcome === null ? '' : ` ${outcome}`}`;
      })
      .sort();
  };
  const contact = async (email: string): Promise<string> =>
    (await send('POST', '/contacts', { email })).body.id;
  return { workflow, add, join, get, trigger, arrows, contact };
}
