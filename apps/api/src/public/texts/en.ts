import type { PageTexts } from './texts.ts';

export const en: PageTexts = {
  unsubscribe: {
    title: 'Unsubscribe from {project}?',
    lead: 'We will stop sending you newsletters and offers at {email}.',
    button: 'Unsubscribe',
  },
  subscribe: {
    title: 'Subscribe to {project}?',
    lead: 'You will receive news and offers at {email}.',
    button: 'Subscribe',
  },
  snooze: {
    title: 'Take a break',
    lead: 'You will not hear from us for a while. After that, emails resume automatically.',
    '2w': '2 weeks',
    '1m': '1 month',
    '6m': '6 months',
    '1y': '1 year',
  },
  manage: {
    title: 'Email preferences',
    lead: 'Choose what {project} sends to {email}.',
    link: 'See all options',
  },
  state: {
    subscribed: 'You are subscribed.',
    unsubscribed: 'You are unsubscribed.',
    snoozed: 'Emails are paused until {date}.',
  },
  done: {
    subscribed: 'You will hear from {project} again at {email}.',
    unsubscribed:
      'We will no longer send newsletters or offers to {email}. Messages about your orders or your account may still arrive.',
    changedMind: 'Changed your mind?',
  },
  test: 'This link is from a test email. It does not change anything.',
  notMe: {
    title: 'Is this account not yours?',
    lead: 'Somebody signed up at {host} with {email}. If it was not you, we take the address from that account, disable its projects, and send you nothing more.',
    button: 'It was not me',
    done: '{email} no longer belongs to that account. Its projects are disabled.',
  },
  notFound: {
    title: 'This link does not work',
    text: 'It may be incomplete or no longer valid. Please use the link in the latest email you received.',
  },
  blocked: {
    title: 'This link was disabled',
    text: 'The emails that contained it were reported as an attempt at fraud. Do not enter passwords or payment details on pages that those emails led to.',
  },
  badChoice: {
    title: 'We did not understand that choice',
    text: 'Nothing was changed. Please choose again.',
  },
  failure: {
    title: 'Something went wrong',
    text: 'This is a problem on our side. Please try again in a moment.',
  },
};
