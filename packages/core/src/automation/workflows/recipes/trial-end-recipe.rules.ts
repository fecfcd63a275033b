import { letter, type Recipe } from './recipe.rules.ts';

export const trialEndRecipe: Recipe = {
  name: 'Trial end',
  description: 'Writes before a 14-day trial ends, thanks those who subscribe, and asks the others why not.',
  eventName: 'trial.started',
  needs: 'Track trial.started when a trial begins, and subscription.started when a customer subscribes.',
  allowReentry: false,
  steps: [
    { key: 'trial', type: 'DELAY', name: 'Wait 11 days', config: { amount: 11, unit: 'days' } },
    {
      key: 'paid',
      type: 'CONDITION',
      name: 'Already on a plan?',
      config: { field: 'data.plan', operator: 'exists' },
    },
    { key: 'exit', type: 'EXIT', name: 'Already a customer', config: { reason: 'already_paid' } },
    {
      key: 'soon',
      type: 'SEND_EMAIL',
      name: 'Trial ends soon',
      config: {},
      email: {
        subject: 'Your trial ends in 3 days',
        preheader: 'Choose a plan to keep your data',
        content: letter(
          'Your trial ends in three days. Choose a plan before then, and everything stays as it is.',
          'Do you need more time? Reply to this email.',
        ),
      },
    },
    {
      key: 'decision',
      type: 'WAIT_FOR_EVENT',
      name: 'Subscribed?',
      config: { eventName: 'subscription.started', timeout: 3 * 86_400 },
    },
    {
      key: 'thanks',
      type: 'SEND_EMAIL',
      name: 'Thank you',
      config: {},
      email: {
        subject: 'Thank you for subscribing',
        preheader: 'Your plan is active',
        content: letter('Your plan is active, and nothing else is needed. Thank you for your trust.'),
      },
    },
    {
      key: 'over',
      type: 'SEND_EMAIL',
      name: 'Trial is over',
      config: {},
      email: {
        subject: 'Your trial is over',
        preheader: 'What was missing?',
        content: letter(
          'Your trial has ended. Your data is kept for now, in case you want to come back.',
          'What kept you from subscribing? A short reply helps us to improve.',
        ),
      },
    },
  ],
  transitions: [
    { from: 'trigger', to: 'trial' },
    { from: 'trial', to: 'paid' },
    { from: 'paid', to: 'exit', branch: 'yes' },
    { from: 'paid', to: 'soon', branch: 'no' },
    { from: 'soon', to: 'decision' },
    { from: 'decision', to: 'thanks', waitOutcome: 'EVENT' },
    { from: 'decision', to: 'over', waitOutcome: 'TIMEOUT' },
  ],
};
