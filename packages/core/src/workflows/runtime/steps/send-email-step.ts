import { isEmailAddress, normalizeAddress } from '../../../kernel/index.ts';
import { wakeOutbox, writeWorkflowEmail } from '../../../sending/index.ts';
import { findTemplate } from '../../../templates/index.ts';
import type { SendEmailConfig } from '../../steps.schema.ts';
import type { Step, StepContext } from '../step-result.ts';
import { fillIn, variablesOf } from '../variables.ts';

export const sendEmailStep: Step = {
  touches: 'mail',
  prepare(context) {
    const { standing } = context;
    const { recipient } = standing.step.config as SendEmailConfig;
    const recipientType = recipient?.type ?? 'CONTACT';
    const custom = recipientType === 'CUSTOM' ? addressOf(context, recipient?.customEmail ?? '') : null;
    return async (db, execution, stepExecution) => {
      if (custom !== null && !isEmailAddress(custom))
        return { kind: 'failed', error: `The recipient "${custom.slice(0, 300)}" is not an email address` };
      const template =
        standing.step.templateId === null
          ? null
          : await findTemplate(db, execution.projectId, standing.step.templateId);
      if (!template)
        return {
          kind: 'failed',
          error:
            standing.step.templateId === null
              ? 'No template is chosen for this step'
              : 'The template of this step was deleted',
        };
      const written = await writeWorkflowEmail(db, {
        project: {
          id: execution.projectId,
          name: standing.projectName,
          language: standing.language,
          tracking: standing.tracking,
        },
        template,
        contactId: execution.contactId,
        customAddress: custom,
        vars: { ...standing.contact.data, ...execution.context, event: execution.context },
        workflowExecutionId: execution.id,
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
        },
      };
    };
  },
  afterwards({ services, standing }) {
    wakeOutbox(services, standing.projectId);
  },
};

const addressOf = (context: StepContext, text: string): string =>
  normalizeAddress(fillIn(text, variablesOf(context)));
