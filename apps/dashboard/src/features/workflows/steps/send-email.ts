import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import { EmailFields } from './email-fields.tsx';
import type { StepView } from './step-view.ts';

export const sendEmailView: StepView<StepConfigs['SEND_EMAIL'], StepConfigInputs['SEND_EMAIL']> = {
  icon: 'mail',
  does: 'Sends a template',
  summary: ({ recipient }, { template }) =>
    [template?.name ?? 'No template', recipient?.type === 'CUSTOM' && recipient.customEmail]
      .filter(Boolean)
      .join(' to '),
  Fields: EmailFields,
  read: (values) =>
    values['config.recipient.type'] === 'CUSTOM'
      ? { recipient: { type: 'CUSTOM', customEmail: values['config.recipient.customEmail'] ?? '' } }
      : { recipient: { type: 'CONTACT' } },
  completed: ({ skipped, recipientEmail }) =>
    skipped
      ? `Skipped the email to ${recipientEmail}: ${reasonInWords(String(skipped))}`
      : `Queued an email to ${recipientEmail}`,
};
