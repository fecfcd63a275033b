import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('en');

const disabledReasons = {
  PAYMENT_FAILED: 'A payment failed. Pay the open invoice, and the project is enabled again.',
  EMAIL_REPUTATION:
    'Too many of its emails bounced or were marked as spam. Remove outdated addresses, and make sure that every recipient has agreed to receive your email.',
  PHISHING_DETECTED: 'Its emails were reported as phishing.',
  MANUAL: 'An administrator of this installation disabled it.',
};

const endpointReasons = {
  GONE: 'It answered with status 410 (Gone), which means that it no longer accepts events.',
  FAILING: 'None of the requests to it has succeeded for 5 days.',
};

const guardReasons = {
  guard_bounces: 'Too many of them bounced: the list has addresses that do not exist.',
  guard_complaints: 'Too many of them were marked as spam.',
  guard_unsubscribes: 'Too many recipients unsubscribed.',
  forgotten: 'That was 7 days ago, and it has not been resumed since.',
};

export const en: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `A check of your installation failed: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Open Postrider',
    note: 'You get this email at most once a day for each check.',
  }),
  copyLink: 'Or copy this address into your browser:',
  verification: () => ({
    subject: 'Verify your email address',
    paragraphs: ['Confirm that this is your email address to finish setting up your Postrider account.'],
    button: 'Verify email address',
    note: 'The link is valid for 24 hours. If you did not sign up, you can ignore this email.',
  }),
  passwordReset: () => ({
    subject: 'Reset your password',
    paragraphs: ['A new password was requested for your Postrider account.'],
    button: 'Set a new password',
    note: 'The link is valid for one hour. If you did not request it, ignore this email; your password stays the same.',
  }),
  accountDeletion: () => ({
    subject: 'Delete your Postrider account',
    paragraphs: [
      'A request was made in your Postrider account to delete it.',
      'Open the link in the browser in which you are signed in, and confirm there. A deleted account cannot be restored.',
    ],
    button: 'Delete the account',
    note: 'The link is valid for one hour. If you did not request it, ignore this email and end the sessions that you do not recognize; your account stays as it is.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'a project' : `the project “${project}”`;
    return {
      subject: `You are invited to ${named}`,
      paragraphs: [`${inviter} invites you to work on ${named} in Postrider.`],
      button: 'Accept the invitation',
      note: 'The invitation is valid for 7 days and only for this email address.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} is disabled`,
    paragraphs: [
      `The project ${project} sends no more email. Scheduled campaigns and running workflows have ended.`,
      disabledReasons[reason],
    ],
    button: 'Open the project',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} is enabled again`,
    paragraphs: [
      `The project ${project} can send email again. Campaigns and workflows that were ended stay ended.`,
    ],
    button: 'Open the project',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} is verified`,
    paragraphs: [
      `The DNS records of ${domain} were found. You can now send email from addresses of this domain.`,
    ],
    button: 'Open the domain',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} is no longer verified`,
    paragraphs: [
      `DNS records of ${domain} were missing in three checks in a row. Emails from this domain are refused until the records are back.`,
    ],
    button: 'Open the domain',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} was added to another project`,
    paragraphs: [
      `An owner or admin of this project added ${domain} to another project. That project can send from the domain once a DNS record of its own is found.`,
      'If you did not expect this, review the members of this project.',
    ],
    button: 'Open the domain',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `A webhook endpoint of ${project} is disabled`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Events are no longer queued for it. Pending deliveries wait until the endpoint is enabled again.',
    ],
    button: 'Open the webhooks',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'An email of your project takes too long to render',
    paragraphs: [
      `Rendering the email with the subject “${subject}” took more time or memory than one email may use.`,
      'It is sent all the same: variables are filled in, but tags such as loops and conditions, and outputs with filters, are left out. Make the template simpler to send it in full.',
      ...(isThird
        ? [
            'Three emails of your projects have reached this limit within an hour. For an hour, tags and filters of new emails are left out as well, without a try.',
          ]
        : []),
    ],
    button: 'Open the emails',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Sign-ups of ${project} are paused`,
    paragraphs: [
      `So many people were asked by email today whether they want to subscribe to ${project}, and have not confirmed, that no further sign-ups are taken for now.`,
      'Programs that fill in forms with other people’s addresses are the usual cause. Sign-ups are taken again as people confirm, or after a day. Check which pages your forms are on.',
    ],
    button: 'Open the forms',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Reports about ${project} are not proven`,
    paragraphs: [
      `Bounces or spam complaints about the email of ${project} would have disabled it, but the reports are not proven: anybody who has one of its emails could have written them.`,
      'The addresses that they name get no more email. The project goes on sending. Check whether its recipients have agreed to receive your email.',
    ],
    button: 'Open the reputation',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `Email of ${project} is refused by receiving servers`,
    paragraphs: [
      {
        blocked: `In the last 7 days, ${count} emails of ${project} were blocked because of the reputation of the sending server or domain. Send only to people who agreed to it and remove addresses that never react; if the server is on a block list, ask its operator to have it removed.`,
        authentication: `In the last 7 days, ${count} emails of ${project} were refused because the sender could not be authenticated. Check the SPF, DKIM and DMARC records of your domain on its page.`,
        content: `In the last 7 days, ${count} emails of ${project} were refused because of their content. Check the links, attachments and wording of what you send.`,
      }[refusal],
      'The addresses concerned are kept, and the project goes on sending.',
    ],
    button: refusal === 'authentication' ? 'Open the domains' : 'Open the reputation',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Executions of “${workflow}” fail`,
    paragraphs: [
      `In the last 24 hours, ${count} executions of the workflow “${workflow}” of the project ${project} failed. Most often:`,
      ...failureLines(groups, (step) => `“${step}”`),
      'Once the cause is corrected, they can be retried: each goes on at the step where it failed. You get this email at most once a day.',
    ],
    button: 'Open the failed executions',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `“${workflow}” was disabled`,
    paragraphs: [
      `The workflow “${workflow}” of the project ${project} was disabled because too many executions failed: ${failed} of ${visits} at the step “${step}”.`,
      'Nobody enters it now; those in it go on. Correct the step, retry what failed, and enable the workflow again.',
    ],
    button: 'Open the failed executions',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `“${campaign}” was paused`,
    paragraphs: [
      `The campaign “${campaign}” of the project ${project} was paused after ${sent} of ${total} emails.`,
      guardReasons[reason],
      'Nothing more of it is sent until you resume it. Look at its recipients first; the rest can also be cancelled.',
    ],
    button: 'Open the campaign',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `“${campaign}” waits for your decision`,
    paragraphs: [
      `The test of the campaign “${campaign}” in the project ${project} has ended.`,
      ...(isMismatch
        ? [
            'Its variants arrived in parts too unequal for chance, so that something other than their content may have been compared.',
          ]
        : []),
      'The recipients outside of the test get nothing until you choose a variant. They can also be cancelled.',
    ],
    button: 'Open the campaign',
  }),
  approvalRequested: ({ project }) => ({
    subject: `A program asks for approval in ${project}`,
    paragraphs: [
      `A program that works with a key of ${project} asks you to agree to something that would send email or change much. Nothing is done before you decide.`,
    ],
    button: 'Open the approvals',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Please approve a campaign of ${project}`,
    paragraphs: [
      `The campaign “${campaign}” of ${project} waits for the approval of an owner or admin who has neither asked for it nor changed it last. It is not sent before that.`,
    ],
    button: 'Open the approvals',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject: percent === 100 ? 'Your storage limit is reached' : '80% of your storage limit is reached',
    paragraphs: [
      `Your projects store ${megabytes(used)} of the ${megabytes(limit)} that you can use.`,
      percent === 100
        ? 'New images, attachments, templates, campaigns, imports, exports and emails with new content are refused until there is room again. Email that was accepted is delivered.'
        : 'Beyond the limit, new images, attachments, templates, campaigns, imports, exports and emails with new content are refused.',
      'Delete images, templates or exports that you no longer need.',
    ],
    button: 'Open the settings',
  }),
};
