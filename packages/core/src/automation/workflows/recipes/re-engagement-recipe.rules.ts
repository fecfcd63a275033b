import { button, letter, type Recipe } from './recipe.rules.ts';

export const reEngagementRecipe: Recipe = {
  name: 'Re-engagement',
  description: 'Writes to contacts who have become inactive, and unsubscribes those who do not react.',
  eventName: 'became_inactive',
  needs:
    'Track became_inactive after a while without activity, for example 60 days, and replace the links in its emails.',
  allowReentry: true,
  steps: [
    {
      key: 'miss',
      type: 'SEND_EMAIL',
      name: 'We miss you',
      config: {},
      email: {
        subject: 'It has been a while, {{firstName ?? there}}',
        preheader: 'Here is what has changed',
        content: letter(
          'You have not been here for some time, and a few things have changed since.',
          button('See what is new', 'https://example.com'),
          'If we can do something better, reply to this email.',
        ),
      },
    },
    {
      key: 'first',
      type: 'WAIT_FOR_EVENT',
      name: 'Clicked a link?',
      config: { eventName: 'email.click', timeout: 7 * 86_400 },
    },
    {
      key: 'back',
      type: 'UPDATE_CONTACT',
      name: 'Mark as active',
      config: { data: { re_engaged: true }, subscriptionAction: 'none' },
    },
    {
      key: 'last',
      type: 'SEND_EMAIL',
      name: 'Last email',
      config: {},
      email: {
        subject: 'Do you still want our emails?',
        preheader: 'One click keeps you subscribed',
        content: letter(
          'We do not want to fill your inbox with emails that you do not read.',
          button('Keep me subscribed', 'https://example.com'),
          'Without a click we will stop writing in a week.',
        ),
      },
    },
    {
      key: 'second',
      type: 'WAIT_FOR_EVENT',
      name: 'Clicked this time?',
      config: { eventName: 'email.click', timeout: 7 * 86_400 },
    },
    {
      key: 'stop',
      type: 'UPDATE_CONTACT',
      name: 'Unsubscribe',
      config: { subscriptionAction: 'unsubscribe' },
    },
  ],
  transitions: [
    { from: 'trigger', to: 'miss' },
    { from: 'miss', to: 'first' },
    { from: 'first', to: 'back', waitOutcome: 'EVENT' },
    { from: 'first', to: 'last', waitOutcome: 'TIMEOUT' },
    { from: 'last', to: 'second' },
    { from: 'second', to: 'back', waitOutcome: 'EVENT' },
    { from: 'second', to: 'stop', waitOutcome: 'TIMEOUT' },
  ],
};
