/** Fields of a campaign in words, where their names are not read well. */
const words: Readonly<Record<string, string>> = {
  audienceCondition: 'filter of the audience',
  audienceType: 'audience',
  body: 'text of the email',
  exemptFromLimits: 'contact limits',
  from: 'sender',
  fromName: 'name of the sender',
  preheader: 'preview text',
  replyTo: 'reply address',
  segmentId: 'segment',
  segments: 'conditions of its segments',
  templateId: 'template',
  text: 'plain text',
  type: 'type of email',
};

/** What has changed since an approval was asked for, in words. */
export const changedInWords = (fields: readonly string[]): string =>
  fields.map((field) => words[field] ?? field).join(', ');
