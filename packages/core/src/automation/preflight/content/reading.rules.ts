import type { EmailContent } from '../../../content/templates/email-content.schema.ts';
import { sizeProblems, textProblems } from './body-problems.rules.ts';
import { imageProblems } from './image-problems.rules.ts';
import { linkProblems } from './link-problems.rules.ts';
import { liquidTags, maskLiquid } from './liquid-tags.rules.ts';
import { scanHtml } from './scan-html.rules.ts';
import { preheaderProblems, subjectProblems } from './subject-problems.rules.ts';
import {
  type KnownFields,
  type ValueSource,
  type VariableProblems,
  variableProblems,
} from './variable-problems.rules.ts';

/** The texts of an email, and what is known of their values. */
export interface WrittenContent extends Pick<EmailContent, 'subject' | 'preheader' | 'body' | 'text'> {
  source: ValueSource;
  /** null while they are not known */
  fields: KnownFields | null;
  /** the HTML as a recipient gets it; null where it was not rendered */
  rendered: string | null;
}

/** What was found in the texts of an email. */
export interface Reading {
  problems: readonly ContentProblem[];
  /** names without a fallback, each where it stands first */
  bare: VariableProblems['bare'];
  /** reading it took too long, so nothing is known */
  isUnread: boolean;
}

export type ContentProblem = ReturnType<typeof problemsIn>['problems'][number];

/** Rules that read the texts of an email. */
export type ContentRuleName = ContentProblem['rule'];

/**
 * What could go wrong with an email that the API accepts. Links and images are read from the template itself, so that a problem has a place in
 * it. The time that it takes grows only with the length of the texts, whatever they hold.
 */
export const readContent = (content: WrittenContent): Reading => ({
  ...problemsIn(content),
  isUnread: false,
});

function problemsIn({ subject, preheader, body, text, source, fields, rendered }: WrittenContent) {
  const tags = {
    subject: liquidTags(subject),
    preheader: liquidTags(preheader ?? ''),
    body: liquidTags(body),
    text: liquidTags(text ?? ''),
  };
  const html = scanHtml(maskLiquid(body, tags.body));
  const variables = variableProblems({ tags, known: fields, source });
  return {
    problems: [
      ...subjectProblems(maskLiquid(subject, tags.subject)),
      ...preheaderProblems(preheader ?? ''),
      ...textProblems(html),
      ...linkProblems(html),
      ...imageProblems(html),
      ...sizeProblems(rendered ?? body),
      ...variables.problems,
    ],
    bare: variables.bare,
  };
}
