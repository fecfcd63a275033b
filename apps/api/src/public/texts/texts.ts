/** All texts of the public pages. `{email}`, `{project}`, `{topic}`, `{date}` and `{host}` are placeholders. */
export interface PageTexts {
  unsubscribe: { title: string; lead: string; button: string };
  subscribe: { title: string; lead: string; button: string };
  snooze: { title: string; lead: string; '2w': string; '1m': string; '6m': string; '1y': string };
  manage: {
    title: string;
    lead: string;
    link: string;
    topics: string;
    save: string;
    saved: string;
    all: string;
  };
  /** ends one topic of several */
  topic: { title: string; lead: string; button: string; done: string; doneText: string };
  state: { subscribed: string; unsubscribed: string; notSubscribed: string; snoozed: string };
  /** the result of a choice */
  done: { subscribed: string; unsubscribed: string; changedMind: string };
  /** on links of test emails to an address without a contact */
  test: string;
  /** for the owner of an address that somebody else signed up with */
  notMe: { title: string; lead: string; button: string; done: string };
  /** for somebody whose contact was deleted */
  erased: {
    title: string;
    text: string;
    button: string;
    done: string;
    doneText: string;
  };
  /** for the link of a contact that the service has lost: any address can leave */
  lost: { title: string; lead: string; done: string };
  /** for whoever was asked to confirm a subscription */
  confirm: {
    title: string;
    lead: string;
    topics: string;
    wording: string;
    button: string;
    decline: string;
    done: string;
    doneText: string;
    already: string;
    declined: string;
    declinedText: string;
    expired: string;
    expiredText: string;
    again: string;
  };
  /** of sign-up forms */
  form: {
    email: string;
    optional: string;
    received: string;
    receivedText: string;
    problem: string;
    badEmail: string;
    badDomain: string;
    required: string;
    badValue: string;
    noTopic: string;
    closed: string;
    closedText: string;
    limited: string;
    limitedText: string;
    refused: string;
    refusedText: string;
    check: string;
    checkText: string;
    checkEarly: string;
    continue: string;
    privacy: string;
  };
  notFound: { title: string; text: string };
  /** on links of a project that was disabled for phishing */
  blocked: { title: string; text: string };
  badChoice: { title: string; text: string };
  failure: { title: string; text: string };
}
