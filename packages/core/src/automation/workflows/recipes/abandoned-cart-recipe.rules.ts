import { button, letter, type Recipe } from './recipe.rules.ts';

export const abandonedCartRecipe: Recipe = {
  name: 'Abandoned cart',
  description: 'Reminds customers of a cart that they left, and again a day later when it is a large one.',
  eventName: 'cart.updated',
  needs: 'Track cart.updated with total and cart_url, and order.placed when the customer has bought.',
  allowReentry: true,
  steps: [
    {
      key: 'soon',
      type: 'WAIT_FOR_EVENT',
      name: 'Ordered within 2 hours?',
      config: { eventName: 'order.placed', timeout: 2 * 3_600 },
    },
    { key: 'bought', type: 'EXIT', name: 'Ordered', config: { reason: 'ordered' } },
    {
      key: 'reminder',
      type: 'SEND_EMAIL',
      name: 'Reminder',
      config: {},
      email: {
        subject: 'You left something in your cart',
        preheader: 'We have kept it for you',
        content: letter(
          'Your cart is still there, just as you left it.',
          button('Back to your cart', '{{event.cart_url}}'),
        ),
      },
    },
    {
      key: 'later',
      type: 'WAIT_FOR_EVENT',
      name: 'Ordered within a day?',
      config: { eventName: 'order.placed', timeout: 86_400 },
    },
    {
      key: 'large',
      type: 'CONDITION',
      name: 'A large cart?',
      config: { field: 'event.total', operator: 'greaterThanOrEqual', value: 100 },
    },
    {
      key: 'again',
      type: 'SEND_EMAIL',
      name: 'Second reminder',
      config: {},
      email: {
        subject: 'Can we help with your order?',
        preheader: 'Your cart will not be kept for ever',
        content: letter(
          'Your cart is still waiting. If a question keeps you from ordering, reply to this email.',
          button('Back to your cart', '{{event.cart_url}}'),
        ),
      },
    },
  ],
  transitions: [
    { from: 'trigger', to: 'soon' },
    { from: 'soon', to: 'bought', waitOutcome: 'EVENT' },
    { from: 'soon', to: 'reminder', waitOutcome: 'TIMEOUT' },
    { from: 'reminder', to: 'later' },
    { from: 'later', to: 'bought', waitOutcome: 'EVENT' },
    { from: 'later', to: 'large', waitOutcome: 'TIMEOUT' },
    { from: 'large', to: 'again', branch: 'yes' },
  ],
};
