import type { EmailContent } from '@postrider/core/content/templates/contract';
import { Fact } from '../../ui/facts.tsx';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { emailTypeNames } from '../emails/email-type-names.ts';

/** The content of a template or campaign, except for the subject and body, which the page shows beside it. */
export function ContentFacts({ content }: { content: Omit<EmailContent, 'subject' | 'body' | 'text'> }) {
  const { preheader, from, fromName, replyTo, type } = content;
  return (
    <>
      {preheader && <Fact name="Preheader">{picturedText(preheader)}</Fact>}
      <Fact name="From">{fromName ? `${fromName} <${from}>` : from}</Fact>
      {replyTo && <Fact name="Reply-to">{replyTo}</Fact>}
      <Fact name="Type">{emailTypeNames[type]}</Fact>
    </>
  );
}
