/** How a subscription changed, by the reason of its event; after “subscribed” or “unsubscribed”. */
const words: Readonly<Record<string, string>> = {
  api: 'through the API or the dashboard',
  bounce: 'because an email bounced',
  bulk: 'by a bulk change',
  complaint: 'because an email was marked as spam',
  dashboard: 'in the dashboard',
  form: 'by a form',
  import: 'by an import',
  merged: 'when spellings of one address became one contact',
  one_click: 'with the unsubscribe button of the mail program',
  page: 'on the preference page',
  snooze: 'for a while, on the preference page',
  snooze_ended: 'as the pause ended',
  workflow: 'by a workflow',
};

export const subscriptionInWords = (reason: string): string => words[reason] ?? reason;
