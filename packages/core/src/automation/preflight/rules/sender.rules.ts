import { defineBlock } from '../rule.rules.ts';

/** The domain of the sender is not verified, or the key may not send from it. */
export const senderRule = defineBlock({
  name: 'sender',
  field: 'from',
  needs: ['sender'],
  refusal: ({ sender }) => sender,
});
