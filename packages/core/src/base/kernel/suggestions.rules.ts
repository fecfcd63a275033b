/** What a conflict says that ends by itself within seconds. */
export const repeatSoon = 'Repeat the request in a few seconds';

/**
 * What a caller can do about a conflict (409) and about refused input (422), by the code of the failure. Programs and models follow
 * these texts, so none may advise what would send an email or record an event a second time.
 */
export const suggestions = {
  IDEMPOTENCY_KEY_REUSED:
    'The first request with this key was accepted; details has what it created. Do not send it again under another key, unless you want a second email',
  APPROVAL_REQUIRED:
    'A person has to agree at details.url. Wait, and read GET /approvals/:id: do not send the request again',
  APPROVAL_MISSING: 'Ask for it by POST /campaigns/:id/approval, and wait until it is APPROVED',
  PREFLIGHT_FAILED:
    'Correct what details.findings names. A person who wants to send it all the same names their rules in acknowledge',
  VALIDATION_ERROR: 'Correct the fields named in errors and send the request again',
  CONFLICT: {
    accountExists: 'Log in instead',
    accountJustCreated: 'Sign in again',
    activeExecutions: 'Cancel its executions, or wait until they have ended',
    addressTaken: 'Update that contact instead, or delete it first',
    approvalChanged: 'Read the approval again: what it names has changed',
    approvalGiven: 'Send the campaign: it is as it was approved',
    approvalDecided: 'Read the approval: its status says what became of it',
    aliasTaken: 'Choose another alias, or remove it from that template first',
    campaignApproved: 'Unschedule it first; after the change it has to be approved again',
    campaignChanged: 'Read the campaign, and repeat the change with its new updatedAt',
    campaignGoesOn:
      'Nothing is to be done: the campaign is being sent. Pause it first, if it was meant to wait',
    campaignPaused: 'Nothing is to be done: the campaign waits already. Resume it, and it is sent on',
    campaignDrains: repeatSoon,
    campaignExpired: 'Duplicate the campaign, and choose whom the copy is for',
    campaignRuns: 'Cancel it first',
    testState: 'Read the campaign: `test.state` must be RUNNING or UNDECIDED',
    campaignState: (allowed: readonly string[]) => `The campaign must be ${allowed.join(' or ')}` as const,
    confirmationNeeded:
      'Disable these forms, and set consent.publicSubscriptions to DIRECT, before you remove the sender',
    contactInWorkflow:
      'The contact has not entered a second time. Wait until its execution has ended, or cancel it',
    domainElsewhere: 'Remove it there first, or add it signed in as an owner or admin of that project',
    domainExists: 'Use the existing domain, which GET /domains/project/:projectId lists',
    domainUsed: 'Change their sender, or delete them first',
    dynamicSegment: 'Change its condition, or use a static segment',
    endpointDisabled: 'Enable the endpoint first',
    entryFilter: 'Change entry.filter of the workflow, or the contact, if it is to enter',
    entryInterval: 'Wait until then, or change entry.every of the workflow',
    entryLimit: 'Change entry.limit of the workflow, if the contact is to enter once more',
    eventUsed: 'See GET /events/:eventName/usage and remove it there first',
    executionNotFailed: 'Read the execution to see where it is',
    executionEnded: 'Nothing is left to be cancelled. Read the execution to see how it ended',
    externalIdTaken:
      'details.contactId is the contact that has it. Update that one, or clear its externalId first',
    emailOfCampaign: 'Cancel the campaign',
    emailOfShared:
      'Use the id that the email has as its sharedMessageId: what is done to it is done to all recipients of the message',
    emailSettled: 'Read the email: its status says what became of it',
    emailUnderWay: 'Read the email in a minute: its status says what became of it',
    emailWaits: 'Cancel it, and if it is SKIPPED then, send it again with another time',
    familyStarts: 'Repeat the request in a minute',
    fieldUsed: 'Remove it from the templates, segments, campaigns and workflows that use it first',
    generalTopic: 'Every project has it: marketing email that names no topic belongs to it',
    goalNameTaken: 'Choose another name, or archive that goal first',
    hasAuthenticatorApp: 'Remove it first, with one of its codes or a recovery code',
    hasDeclined: 'The address can be invited again 30 days after that',
    isInvited: 'The pending invitation can still be accepted. It is listed among the members',
    isMember: 'Change the role of the member instead',
    mostApprovals: 'Have a person decide those that wait, or wait until they expire',
    mostDefinitions: 'Remove one that is not needed: its values stay',
    mostDocuments: 'Delete documents that are no longer used',
    mostDomains: 'Remove a domain that is no longer needed',
    mostEndpoints: 'Delete an endpoint that is no longer used',
    mostOfFamily: 'Delete a campaign of the family that is no longer needed, or duplicate the campaign',
    mostForms: 'Delete a form that is no longer used',
    mostGoals: 'Archive or delete a goal that is no longer needed',
    mostKeys: 'Delete keys that are no longer used',
    mostPasskeys: 'Remove one first',
    mostProjects: 'Delete a project that is no longer needed',
    mostTopics: 'Delete a topic that is not in use any more',
    mostSourceRefs: 'Remove references that no program sends any more',
    noConfirmation: 'Set consent.confirmation of the project: the sender of the email that asks',
    mostWordings: 'Use one of those that are stored',
    noReentry: 'Allow re-entry in the workflow, if the contact is to go through it again',
    noSecondFactor: 'Set up an authenticator app under Account first',
    ownsProjects: 'Delete the projects in details.projects first',
    passkeyKnown: 'Use the passkey, or add another one',
    retryUnderWay:
      'That retry has what had failed by then. Read the campaign in a minute, and retry only what fails again',
    recipientChanges:
      'Nothing was stored. Send the request again once the contact is no longer being changed',
    secondFactorJustAdded: 'Try again',
    segmentUsed: (users: readonly string[]) => `Remove it from these first: ${users.join(', ')}` as const,
    slugTaken: 'Choose another slug',
    staticSegment: 'Use refresh to recount its members',
    templateUsed: 'Select another template in its steps first',
    textsUnread: 'Try again in a few minutes',
    topicDefaultOut:
      'Create another topic with the default IN, if everybody who is subscribed is to receive it',
    topicKeyTaken: 'Choose another key, or use that topic, which may be archived',
    wayOutUsed: 'Delete that transition first',
    untrackedSegment: 'Turn on trackMembership, or use refresh to recount',
    stepGone: 'Start the workflow for the contact again, or publish a version that has the step',
    workflowAliasTaken: 'Choose another alias, or remove it from that workflow first',
    workflowChanged: 'Read the workflow again and repeat your change',
    workflowSimulated: 'Wait until its simulation has ended: it takes 20 seconds at most',
    workflowDisabled: 'Enable the workflow first',
    workflowDraft:
      'Publish or discard the draft first, or send publish: false to change the draft. details.draft says whose it is',
    workflowNoDraft: 'Edit the workflow with publish: false first, or name a version',
    workflowPeople:
      'details.steps are the steps with people that would be gone. Say in removed where they go: EXIT, or the key of another step',
  },
} as const;

type Conflicts = (typeof suggestions)['CONFLICT'];

/** A text of the table, so that a conflict without one does not compile. */
export type ConflictSuggestion = {
  [Name in keyof Conflicts]: Conflicts[Name] extends (...given: never[]) => infer Text
    ? Text
    : Conflicts[Name];
}[keyof Conflicts];
