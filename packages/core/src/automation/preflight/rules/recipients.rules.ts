import { badRequest } from '../../../base/kernel/errors.ts';
import { defineBlock } from '../rule.rules.ts';

/** Nobody would be sent an email. */
export const recipientsRule = defineBlock({
  name: 'recipients',
  field: 'audienceType',
  needs: ['hasRecipients'],
  refusal: ({ hasRecipients }) =>
    hasRecipients
      ? null
      : badRequest('This campaign has no recipients', {
          suggestion:
            'Add contacts, or choose another audience. MARKETING and HEADLESS emails are sent to subscribed contacts only',
        }),
});
