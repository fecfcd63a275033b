/** All texts of the public pages. `{email}`, `{project}`, `{date}` and `{host}` are placeholders. */
export interface PageTexts {
  unsubscribe: { title: string; lead: string; button: string };
  subscribe: { title: string; lead: string; button: string };
  snooze: { title: string; lead: string; '2w': string; '1m': string; '6m': string; '1y': string };
  manage: { title: string; lead: string; link: string };
  state: { subscribed: string; unsubscribed: string; snoozed: string };
  /** the result of a choice */
  done: { subscribed: string; unsubscribed: string; changedMind: string };
  /** on links of test emails to an address without a contact */
  test: string;
  /** for the owner of an address that somebody else signed up with */
  notMe: { title: string; lead: string; button: string; done: string };
  notFound: { title: string; text: string };
  /** on links of a project that was disabled for phishing */
  blocked: { title: string; text: string };
  badChoice: { title: string; text: string };
  failure: { title: string; text: string };
}
