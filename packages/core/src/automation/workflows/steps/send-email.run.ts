import { normalizeAddress } from '../../../base/kernel/index.ts';
import { findTemplate } from '../../../content/templates/index.ts';
import { previewTemplate } from '../../../mail/sending/index.ts';
import type { Member, Visit } from '../runtime/member.ts';
import type { PreparedMail, SetTools } from '../runtime/set-tools.ts';
import { againMs, type StepAt, type StepResult, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

type Config = StepConfigs['SEND_EMAIL'];

export const sendEmailRun: StepRun<Config> = {
  async runSet(visits, { step, config }, tools) {
    const { templateId } = step;
    // Only where some execution gets so far: a wrong address is the error of its own step.
    let prepared: PreparedMail | null = null;
    const results: StepResult[] = [];
    for (const visit of visits) {
      const address = customAddress(visit, config, tools);
      if ('result' in address) {
        results.push(address.result);
        continue;
      }
      if (templateId === null) {
        results.push({ kind: 'failed', error: 'No template is selected for this step' });
        continue;
      }
      prepared ??= await tools.mail(templateId);
      results.push(send(visit, prepared, { step, config }, address.custom, tools));
    }
    return results;
  },
  async rehearsed({ member: { contact, context } }, { services, project, step }, db) {
    const template = step.templateId === null ? null : await findTemplate(db, project.id, step.templateId);
    if (!template) return {};
    const data = varsOf({ contact, context });
    const { subject } = await previewTemplate(services, project, template, { ...contact, data });
    return { emailId: null, queuedAt: null, subject };
  },
};

/** A custom address of the step, filled in; null for that of the contact. */
function customAddress(
  visit: Visit,
  { recipient }: Config,
  tools: SetTools,
): { custom: string | null } | { result: StepResult } {
  if (recipient?.type !== 'CUSTOM') return { custom: null };
  const filled = tools.fill(visit, { values: recipient.customEmail ?? '' });
  if (!filled) return { result: { kind: 'left', afterMs: againMs.texts } };
  if ('problem' in filled) return { result: { kind: 'failed', error: filled.problem } };
  const given = String(filled.texts.values);
  const custom = normalizeAddress(given);
  if (custom !== null) return { custom };
  return {
    result: {
      kind: 'failed',
      error: `The recipient "${given.trim().slice(0, 300)}" is not an email address`,
    },
  };
}

function send(
  { member, stepExecutionId }: Visit,
  prepared: PreparedMail,
  { step, config: { recipient } }: Pick<StepAt<Config>, 'step' | 'config'>,
  custom: string | null,
  tools: SetTools,
): StepResult {
  if (prepared.kind === 'no_template')
    return { kind: 'failed', error: 'The template of this step was deleted' };
  if (prepared.kind === 'unverified')
    return { kind: 'failed', error: `The sender domain ${prepared.domain} is not verified` };
  const output = { recipientType: recipient?.type ?? 'CONTACT' };
  tools.email(
    step.id,
    {
      content: prepared.content,
      contactId: member.contact.id,
      customAddress: custom,
      vars: varsOf(member),
      workflowExecutionId: member.id,
      workflowStepExecutionId: stepExecutionId,
    },
    output,
  );
  return { kind: 'completed', output };
}

/** A snapshot of what the email can show: the data of the contact, and that of the event. */
const varsOf = ({ contact, context }: Pick<Member, 'contact' | 'context'>) => ({
  ...contact.data,
  ...context,
  event: context,
});
