/** Titles of operations whose summary does not begin with one. */
const titles: Readonly<Record<string, string>> = {
  'sending.send': 'Send an email',
  'sending.previewEmail': 'Preview an email',
  'events.record': 'Record an event by name',
  'events.track': 'Track an event',
  'events.usage': 'Get the usage of an event',
  'contacts.verifyAddress': 'Verify an email address',
  'contacts.update': 'Update a contact',
  'contacts.lookup': 'Look contacts up by address',
  'contacts.listFields': 'List fields of contacts',
  'contacts.getFieldUsage': 'Get the usage of a field',
  'contacts.defineField': 'Define a custom field',
  'contacts.importFailedRows': 'Get failed rows of an import',
  'contacts.getImport': 'Get an import',
  'contacts.getBulkJob': 'Get a bulk change',
  'templates.usage': 'Get the usage of a template',
  'templates.restoreVersion': 'Restore a version of a template',
  'segments.getUsage': 'Get the usage of a segment',
  'segments.addMatching': 'Add matching contacts to a segment',
  'segments.compute': 'Compute the members of a segment',
  'segments.refresh': 'Recount the members of a segment',
  'campaigns.unschedule': 'Unschedule a campaign',
  'campaigns.duplicate': 'Duplicate a campaign',
  'campaigns.cancel': 'Cancel a campaign',
  'campaigns.test': 'Send a test email',
  'campaigns.retry': 'Retry emails of a campaign',
  'campaigns.stats': 'Get figures of a campaign',
  'campaigns.audience': 'Count the audience of a campaign',
  'workflows.createFromRecipe': 'Create a workflow from a recipe',
  'workflows.test': 'Test a workflow',
  'workflows.replaceGraph': 'Replace the graph of a workflow',
  'workflows.fields': 'List fields for conditions',
  'domains.verify': 'Verify a domain',
  'domains.health': 'Check the health of a domain',
  'domains.listNotes': 'List letters about a domain',
  'webhooks.update': 'Update a webhook endpoint',
  'webhooks.test': 'Send a test event',
  'webhooks.getDelivery': 'Get a webhook delivery',
  'webhooks.deliveries': 'List webhook deliveries',
  'webhooks.replay': 'Replay webhook deliveries',
  'webhooks.getReplay': 'Get a replay',
  'webhooks.rotateSecret': 'Rotate the secret of an endpoint',
  'exports.start': 'Start an export',
  'exports.get': 'Get an export',
  'exports.file': 'Download an export',
  'auth.secondFactor': 'Complete a login',
  'auth.getSecondFactors': 'Get the second factors',
  'auth.challengeLogin': 'Start a login by passkey',
  'auth.challengePasskey': 'Start a proof by passkey',
  'auth.addAuthenticatorApp': 'Add an authenticator app',
  'auth.confirmAuthenticatorApp': 'Confirm the authenticator app',
  'auth.startPasskey': 'Start making a passkey',
  'auth.removeSecondFactors': 'Remove all second factors',
  'auth.requestVerification': 'Request a verification link',
  'auth.requestPasswordReset': 'Request a password reset',
  'auth.resetPassword': 'Reset the password',
  'auth.listSessions': 'List sessions',
  'auth.endOtherSessions': 'End all other sessions',
  'auth.changePassword': 'Change the password',
  'auth.oauthStart': 'Start a sign-in by provider',
  'auth.oauthCallback': 'Complete a sign-in by provider',
  'projects.regenerateWebhookSecret': 'Replace the webhook secret',
  'projects.reset': 'Reset a project',
  'projects.setupState': 'Get the setup state',
  'projects.getStorage': 'Get the storage of a project',
  'reputation.security': 'Get the reputation of a project',
  'users.security': 'Get the reputation (former path)',
  'auth.getInvitation': 'Get an invitation',
  'auth.acceptInvitation': 'Accept an invitation link',
  'invitations.listMine': 'List your invitations',
  'invitations.accept': 'Accept an invitation',
  'billing.checkout': 'Start a subscription',
  'billing.portal': 'Open the payment portal',
  'billing.limits': 'Get caps and usage',
  'billing.setLimits': 'Set caps',
  'billing.consumption': 'Get usage and next invoice',
  'activity.list': 'List activity',
  'activity.stats': 'Get statistics of activity',
  'activity.recentCount': 'Count recent activity',
  'activity.types': 'List types of activity',
  'activity.upcoming': 'List upcoming email',
  'analytics.timeseries': 'Get figures over time',
  'analytics.topCampaigns': 'List top campaigns',
  'analytics.campaignStats': 'Get figures of campaigns',
  'analytics.topEvents': 'List top events',
  'analytics.breakdown': 'Break email down',
  'analytics.clients': 'Count mail clients and devices',
  'analytics.links': 'List links by clicks',
  'analytics.contactGrowth': 'Get the growth of contacts',
  'analytics.campaignReport': 'Get the report of a campaign',
  'audit.list': 'List the audit log',
  'config.get': 'Get the configuration',
  'health.live': 'Is the process alive?',
  'health.ready': 'Is the process ready?',
  'metrics.get': 'Get metrics',
  'docs.openapi': 'Get this document',
  'docs.reference': 'Open the API reference',
  'billing.receive': 'Receive payment notifications',
  'provider.receive': 'Receive provider notifications',
  'tracking.recordOpen': 'Tracking image',
  'tracking.recordClick': 'Tracked link',
  'preferences.oneClick': 'One-click unsubscribe',
  'preferences.unsubscribe': 'Unsubscribe page',
  'preferences.unsubscribePage': 'Unsubscribe page (same page)',
  'preferences.confirmUnsubscribe': 'Confirm unsubscribing',
  'preferences.subscribePage': 'Subscribe page',
  'preferences.confirmSubscribe': 'Confirm subscribing',
  'tracking.getPreferences': 'Preference page',
  'tracking.changePreferences': 'Change preferences',
  'tracking.getClaimedAccount': 'Page about a claimed account',
  'tracking.disownAccount': 'Disown an account',
  'graphql.execute': 'Run GraphQL',
};

const longestTitle = 6;

/** The third person of a verb, as summaries begin: `Lists`, `Verifies`, `Pushes`. */
const infinitive = (verb: string): string =>
  verb
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/^Return$/, 'Get');

/**
 * The title of an operation, at most 6 words: its own, or how its summary begins, without what follows a comma or a preposition. A summary
 * that gives none makes the check of the document fail, which asks for a title here.
 */
export function titleOf(operation: string, summary: string): string {
  const own = titles[operation];
  if (own !== undefined) return own;
  const [clause = ''] = summary.split(/[,;.:]|\bwhich\b|\bthat\b/);
  const [verb = '', ...words] = clause.trim().split(/\s+/);
  const title = [infinitive(verb), ...words];
  const preposition = title.findIndex(
    (word, index) => index >= 2 && /^(of|with|by|from|to|and|or|in|for|as|at|without|whatever)$/.test(word),
  );
  return (title.length <= longestTitle || preposition < 0 ? title : title.slice(0, preposition)).join(' ');
}
