import type { Postrider } from '@postrider/sdk';
import type { Tool } from './tool.ts';

/** What a call would do, in words for the person who confirms it. Reads the record; changes nothing. */
export async function previewOf(
  postrider: Postrider,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = String(input['id']);
  switch (tool.operation) {
    case 'sending.send': {
      const count = Array.isArray(input['to']) ? input['to'].length : 1;
      return `Send an email to ${count} ${count === 1 ? 'recipient' : 'recipients'}: ${shown(input)}`;
    }
    case 'sending.sendBatch': {
      const count = Array.isArray(input['emails']) ? input['emails'].length : 0;
      return `Send ${count} different ${count === 1 ? 'email' : 'emails'}: ${shown(input)}`;
    }
    case 'campaigns.send': {
      const [campaign, audience] = await Promise.all([
        postrider.campaigns.get({ id }),
        postrider.campaigns.audience({ id }),
      ]);
      const { name, subject, from, status } = campaign;
      return `Send a campaign: ${shown({ name, subject, from, status, audience, ...input })}`;
    }
    case 'workflows.update': {
      const { name, triggerConfig, steps } = await postrider.workflows.get({ id });
      const emails = steps.filter(({ type }) => type === 'SEND_EMAIL').length;
      return `Enable a workflow, which sends email without further questions: ${shown({ name, triggerConfig, emails, ...input })}`;
    }
    default:
      return `${tool.description}: ${shown(input)}`;
  }
}

/** Long texts are cut: a person reads this. */
const shown = (value: object): string =>
  JSON.stringify(value, (_key, part) =>
    typeof part === 'string' && part.length > 500
      ? `${part.slice(0, 500)}… (${part.length} characters)`
      : part,
  );
