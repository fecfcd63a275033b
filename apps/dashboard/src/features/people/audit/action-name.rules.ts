/** What an operation acts on, by the first part of its name. */
const nouns: Readonly<Record<string, string>> = {
  billing: 'Billing',
  blocks: 'Saved block',
  campaigns: 'Campaign',
  contacts: 'Contact',
  documents: 'GraphQL document',
  domains: 'Domain',
  events: 'Event',
  forms: 'Sign-up form',
  goals: 'Goal',
  keys: 'API key',
  members: 'Member',
  projects: 'Project',
  segments: 'Segment',
  subscriptionRequests: 'Subscription request',
  templates: 'Template',
  topics: 'Topic',
  wordings: 'Wording',
  webhooks: 'Webhook endpoint',
  workflows: 'Workflow',
};

const verbs: Readonly<Record<string, string>> = {
  cancel: 'cancelled',
  compute: 'computed',
  create: 'created',
  delete: 'deleted',
  disable: 'disabled',
  duplicate: 'duplicated',
  enable: 'enabled',
  invite: 'invited',
  pause: 'paused',
  refresh: 'recounted',
  remove: 'removed',
  reset: 'reset',
  resume: 'resumed',
  retry: 'retried',
  unschedule: 'unscheduled',
  update: 'updated',
};

/** Operations that act on a part of a record or on several records. */
const names: Readonly<Record<string, string>> = {
  'approvals.approve': 'Approval given',
  'approvals.decline': 'Approval declined',
  'auth.acceptInvitation': 'Invitation accepted',
  'auth.login_failed': 'Login failed',
  'billing.checkout': 'Checkout opened',
  'billing.portal': 'Billing portal opened',
  'billing.setLimits': 'Billing limits changed',
  'campaigns.pauseByGuard': 'Campaign paused by its guard',
  'campaigns.requestApproval': 'Approval of a campaign asked for',
  'campaigns.createSequel': 'Sequel of a campaign created',
  'campaigns.decideTest': 'Test of a campaign decided',
  'campaigns.judgeTest': 'Test of a campaign ended',
  'campaigns.send': 'Campaign sent or scheduled',
  'campaigns.test': 'Test email sent',
  'contacts.addSuppressions': 'Suppressions added',
  'contacts.bulkAddToSegment': 'Contacts added to a segment',
  'contacts.bulkDelete': 'Contacts deleted',
  'contacts.bulkSubscribe': 'Contacts subscribed',
  'contacts.bulkUnsubscribe': 'Contacts unsubscribed',
  'contacts.bulkUpdate': 'Contact fields written',
  'contacts.bulkTopics': 'Topics of contacts changed',
  'contacts.defineField': 'Contact field defined',
  'contacts.deleteField': 'Contact field deleted',
  'contacts.deleteSuppression': 'Suppression removed',
  'contacts.removeSuppressions': 'Suppressions removed',
  'contacts.import': 'Contacts imported',
  'contacts.upsert': 'Contact saved',
  'documents.persist': 'GraphQL documents stored',
  'events.delete': 'Events deleted',
  'exports.start': 'Export started',
  'invitations.accept': 'Invitation accepted',
  'sourceRefs.remove': 'Source reference removed',
  'sourceRefs.set': 'Source reference set',
  'invitations.decline': 'Invitation declined',
  'members.change': 'Role changed',
  'privacy.erase': 'Person erased',
  'privacy.export': 'Person exported',
  'projects.regenerateKeys': 'API keys regenerated',
  'projects.regenerateWebhookSecret': 'Webhook secret regenerated',
  'segments.addMatching': 'Segment members added',
  'segments.addMembers': 'Segment members added',
  'segments.removeMembers': 'Segment members removed',
  'templates.restoreVersion': 'Template version restored',
  'users.deleteMe': 'Account deleted',
  'uploads.delete': 'Image deleted',
  'uploads.image': 'Image uploaded',
  'webhooks.replay': 'Webhook deliveries replayed',
  'webhooks.replayDelivery': 'Webhook delivery replayed',
  'webhooks.rotateSecret': 'Webhook secret rotated',
  'webhooks.test': 'Test event sent',
  'workflows.addStep': 'Step added',
  'workflows.addTransition': 'Transition added',
  'workflows.cancelAllExecutions': 'Executions cancelled',
  'workflows.cancelExecution': 'Execution cancelled',
  'workflows.cancelExecutions': 'Executions cancelled',
  'workflows.createFromRecipe': 'Workflow created',
  'workflows.deleteStep': 'Step deleted',
  'workflows.deleteTransition': 'Transition deleted',
  'workflows.disableByErrors': 'Workflow disabled',
  'workflows.discardDraft': 'Draft discarded',
  'workflows.enter': 'Contacts entered',
  'workflows.import': 'Workflow imported',
  'workflows.publish': 'Workflow published',
  'workflows.replaceGraph': 'Steps replaced',
  'workflows.retryExecution': 'Execution retried',
  'workflows.retryExecutions': 'Executions retried',
  'workflows.startExecution': 'Execution started',
  'workflows.updateStep': 'Step updated',
};

/** A name of code in words: `scheduledFor` is "scheduled for". */
export const inWords = (name: string): string =>
  name
    .replace(/^acknowledge\./, 'accepted: ')
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What was done, by the name of the operation: `templates.create` is "Template created". */
export function actionName(operation: string): string {
  const [area = '', verb = ''] = operation.split('.');
  const noun = nouns[area];
  const done = verbs[verb];
  const name = names[operation] ?? (noun && done && `${noun} ${done}`);
  return name ?? `${area.charAt(0).toUpperCase()}${inWords(area.slice(1))}: ${inWords(verb)}`;
}
