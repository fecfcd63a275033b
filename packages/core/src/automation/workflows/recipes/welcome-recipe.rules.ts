import { letter, numbered, type Recipe } from './recipe.rules.ts';

export const welcomeRecipe: Recipe = {
  name: 'Welcome series',
  description: 'Greets new users, shows them around, and offers help to those who did not get started.',
  eventName: 'signed_up',
  needs:
    'Track signed_up when a user signs up, and onboarding.completed when they have set up their account.',
  allowReentry: false,
  steps: [
    {
      key: 'welcome',
      type: 'SEND_EMAIL',
      name: 'Welcome',
      config: {},
      email: {
        subject: 'Welcome, {{firstName ?? there}}',
        preheader: 'Good to have you with us',
        content: letter(
          'Thanks for signing up. We are glad you are here.',
          'Over the next days we will send you a few short emails that help you get started. If anything is unclear, reply to this email.',
        ),
      },
    },
    { key: 'pause', type: 'DELAY', name: 'Wait 2 days', config: { amount: 2, unit: 'days' } },
    {
      key: 'tips',
      type: 'SEND_EMAIL',
      name: 'Getting started',
      config: {},
      email: {
        subject: 'Three things to try first',
        preheader: 'They take a few minutes each',
        content: letter(
          'These are the three things that most people do first:',
          numbered('Set up your account.', 'Invite your team.', 'Try it with real data.'),
          'Reply if you get stuck. We read every answer.',
        ),
      },
    },
    {
      key: 'done',
      type: 'WAIT_FOR_EVENT',
      name: 'Onboarding completed?',
      config: { eventName: 'onboarding.completed', timeout: 4 * 86_400 },
    },
    { key: 'exit', type: 'EXIT', name: 'Got started', config: { reason: 'onboarded' } },
    {
      key: 'help',
      type: 'SEND_EMAIL',
      name: 'Offer help',
      config: {},
      email: {
        subject: 'Can we help?',
        preheader: 'A short answer is enough',
        content: letter(
          'Your account is not fully set up yet. Is something missing, or in your way?',
          'Reply with a sentence or two, and a person will answer.',
        ),
      },
    },
  ],
  transitions: [
    { from: 'trigger', to: 'welcome' },
    { from: 'welcome', to: 'pause' },
    { from: 'pause', to: 'tips' },
    { from: 'tips', to: 'done' },
    { from: 'done', to: 'exit', waitOutcome: 'EVENT' },
    { from: 'done', to: 'help', waitOutcome: 'TIMEOUT' },
  ],
};
