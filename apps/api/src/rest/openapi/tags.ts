/** What the operations of each tag are about. A tag is the first word of their names. */
export const tagTexts: Readonly<Record<string, string>> = {
  sending: 'Send transactional email, and look at what became of it. Every recipient is an email of its own.',
  events: 'Record what contacts do. Events start workflows, end waits, and can be filtered by.',
  contacts: 'The people of a project, their fields, imports, and addresses that receive no email.',
  consent: 'What contacts receive, who said so, when, and in which words.',
  wordings: 'The exact words that people agree to.',
  templates: 'Content for sends, campaigns and workflows, with its versions.',
  topics: 'Kinds of email that contacts can choose. Marketing email that names none belongs to `general`.',
  segments: 'Groups of contacts, by a condition or by hand.',
  sourceRefs:
    'Which templates and segments the ids of other services mean, for programs that still send them.',
  campaigns: 'Email to an audience, now or at a time, with its recipients and figures.',
  workflows:
    'What happens after an event: steps, transitions and their versions, and executions for contacts.',
  forms: 'Sign-up forms. They always ask for confirmation by email, and answer alike for every address.',
  subscriptionRequests:
    'Subscriptions that wait for the confirmation of the owner of the address (double opt-in).',
  goals: 'What contacts are to do, and the email and workflows that led to it.',
  approvals: 'What agents asked for, campaigns that wait for a second person, and what people decided.',
  documents: 'GraphQL documents that are stored, so that requests name them.',
  domains: 'Domains that email is sent from, with their DNS records.',
  webhooks:
    'Addresses that events are posted to, and their deliveries. `GET /openapi.json?webhooks=true` describes the payloads of all types.',
  exports: 'Files of records, written in the background.',
  privacy: 'What is stored about one person, as a document, and its removal, with receipts.',
  uploads: 'Images for email.',
  blocks: 'Parts of email to insert into others.',
  auth: 'Accounts, sessions and second factors. For the dashboard.',
  users: 'The signed-in user. For the dashboard.',
  projects: 'Projects of the signed-in user, their settings and their first keys. For the dashboard.',
  keys: 'Named keys of a project, with scopes. For the dashboard.',
  reputation: 'Bounce and complaint levels of a project. For the dashboard.',
  members: 'Who has access to a project. For the dashboard.',
  invitations: 'Invitations to the signed-in user. For the dashboard.',
  billing: 'Caps, usage and invoices of a project. For the dashboard.',
  activity: 'What happened in a project, and what is about to happen.',
  analytics: 'Figures of email, links, contacts and campaigns.',
  audit: 'Who changed what in a project.',
  explain: 'Why an email arrived or did not, and what would change that.',
  requests: 'What programs asked with the keys of a project, and how it was answered.',
  config: 'What this installation offers, such as its sandbox sender and its limits.',
  health: 'Whether this process runs and can serve requests.',
  metrics: 'Metrics of this process for Prometheus.',
  docs: 'This document, and pages about it.',
  provider: 'Notifications of the mail provider.',
  tracking: 'Links and images in email.',
  preferences: 'Pages for the recipients of email.',
  graphql: 'The GraphQL endpoint.',
};

/** The description of a tag. @throws Error for a tag without one */
export function tagText(tag: string): string {
  const text = tagTexts[tag];
  if (text === undefined)
    throw new Error(`the tag ${tag} of the API document needs a description in tags.ts`);
  return text;
}
