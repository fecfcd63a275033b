/** Variables that every email has (behaviour B1.3); `event` is that of a workflow. */
export const systemNames: ReadonlySet<string> = new Set([
  'id',
  'email',
  'svc_id',
  'svc_email',
  'subscribed',
  'locale',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  'event',
]);
