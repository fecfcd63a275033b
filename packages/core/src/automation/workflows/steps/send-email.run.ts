import { normalizeAddress } from '../../../base/kernel/index.ts';
import { findTemplate } from '../../../content/templates/index.ts';
import { notifyOutbox } from '../../../mail/ledger/index.ts';
import { previewTemplate, writeWorkflowEmail } from '../../../mail/sending/index.ts';
import { fillInNow } from '../runtime/fill-in.ts';
import type { StepContext, StepRun } from '../runtime/step-result.ts';
import type { StepConfigs } from './steps.schema.ts';

export const sendEmailRun: StepRun<StepConfigs['SEND_EMAIL']> = {
  touches: 'mail',
  async run(step, { db, stepExecution }) {
    const { state, config } = step;
    const { recipient } = config;
    const recipientType = recipient?.type ?? 'CONTACT';
    const given = recipientType === 'CUSTOM' ? filledIn(step, recipient?.customEmail ?? '') : null;
    const custom = given === null ? null : normalizeAddress(given);
    if (given !== null && custom === null)
      return {
        kind: 'failed',
        error: `The recipient "${given.trim().slice(0, 300)}" is not an email address`,
      };
    const template =
      state.step.templateId === null ? null : await findTemplate(db, state.projectId, state.step.templateId);
    if (!template)
      return {
        kind: 'failed',
        error:
          state.step.templateId === null
            ? 'No template is selected for this step'
            : 'The template of this step was deleted',
      };
    const written = await writeWorkflowEmail(step.services, db, {
      project: {
        id: state.projectId,
        name: state.projectName,
        language: state.language,
        tracking: state.tracking,
      },
      template,
      contactId: state.contactId,
      customAddress: custom,
      vars: varsOf(state),
      workflowExecutionId: state.id,
      workflowStepExecutionId: stepExecution.id,
    });
    if (written.kind === 'no_contact') return { kind: 'gone' };
    if (written.kind === 'unverified')
      return { kind: 'failed', error: `The sender domain ${written.domain} is not verified` };
    return {
      kind: 'completed',
      output: {
        emailId: written.emailId,
        recipientType,
        recipientEmail: written.to,
        queuedAt: written.queuedAt.toISOString(),
        skipped: written.skipped,
        ...(written.error === null ? {} : { error: written.error }),
      },
    };
  },
  afterwards({ services, state }) {
    notifyOutbox(services, state.projectId);
  },
  async rehearsed({ services, state }, { db }) {
    const { projectId, projectName, language, contact, step } = state;
    const template = step.templateId === null ? null : await findTemplate(db, projectId, step.templateId);
    if (!template) return {};
    const project = { id: projectId, name: projectName, language };
    const { subject } = await previewTemplate(services, project, template, {
      ...contact,
      data: varsOf(state),
    });
    return { emailId: null, queuedAt: null, subject };
  },
};

/** A snapshot of what the email can show: the data of the contact, and that of the event. */
const varsOf = ({ contact, context }: StepContext['state']) => ({
  ...contact.data,
  ...context,
  event: context,
});

const filledIn = (context: StepContext, text: string): string => String(fillInNow(context, text));
