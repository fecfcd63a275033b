import { constant, type Prisma } from '../../base/db/index.ts';

/** Expressions of SQL. The sender is that of the content, whose alias is `c`. */
export interface EmailColumns {
  id: string;
  subject: string;
  /** the first that is not null, or the one that every message has */
  messageId: string;
  templateId: string;
  campaignId: string;
  sourceType: string;
}

/** The message id: the one that a provider gave, or the one that the message was made with. */
export const messageIdOf = (own: string, id: string): string =>
  `coalesce(${own}, '<' || ${id} || '@' || split_part(c."from", '@', 2) || '>')`;

/** The columns of `Email` with this alias, or what stands for them. */
export const emailColumnsOf = (alias: string): EmailColumns => ({
  id: `${alias}."id"`,
  subject: `coalesce(${alias}."subject", c."subject")`,
  messageId: `${alias}."messageId"`,
  templateId: `${alias}."templateId"`,
  campaignId: `${alias}."campaignId"`,
  sourceType: `${alias}."sourceType"`,
});

/** What its request said of an email, to be added to its facts. */
export const emailLabels = (alias: string): Prisma.Sql =>
  constant(`email_labels(${alias}."tags", ${alias}."metadata")`);

/**
 * What every event of an email says (behaviour B6.1), as keys and values for `jsonb_object`, which costs half of `jsonb_build_object`. The
 * function `email_facts` says the same where no content is joined.
 */
export const emailFacts = (of: EmailColumns): Prisma.Sql =>
  constant(
    `'emailId', ${of.id}::text, 'subject', ${of.subject}, 'from', c."from", 'fromName', c."fromName",
      'messageId', ${messageIdOf(of.messageId, of.id)}, 'templateId', ${of.templateId}::text, 'campaignId', ${of.campaignId}::text,
      'sourceType', ${of.sourceType}::text`,
  );
