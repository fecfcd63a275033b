import { checkContent } from '@postrider/core/automation/preflight/contract';
import type { EmailContent } from '@postrider/core/content/templates/contract';
import { type Finding, inOrder, type OwnFinding, ofRule } from './finding.rules.ts';
import { checkImages } from './image.rules.ts';
import { checkLinks } from './link.rules.ts';
import { liquidTags, maskedCharacter, maskLiquid } from './liquid-tags.rules.ts';
import { scanHtml } from './scan-html.rules.ts';
import { checkPreheader, checkSubject } from './subject.rules.ts';
import { checkVariables, type KnownFields } from './variable.rules.ts';
import { checkSize, checkText } from './whole-mail.rules.ts';

export interface CheckedMail extends Pick<EmailContent, 'subject' | 'preheader' | 'body' | 'type'> {
  /** The document of the visual editor; null of HTML. */
  design: unknown;
  /** The postal address of the project; null without one. */
  address: string | null;
  /** The HTML as a recipient gets it; null while it was not rendered. */
  rendered: string | null;
  known: KnownFields | null;
}

/**
 * What could go wrong with an email that the API accepts, the most important first. Links and images are read from the
 * template itself, so that a finding has a place in it.
 */
export function checkMail({
  subject,
  preheader,
  body,
  type,
  design,
  address,
  rendered,
  known,
}: CheckedMail): Finding[] {
  const texts = { subject, preheader: preheader ?? '', body };
  const tags = {
    subject: liquidTags(texts.subject),
    preheader: liquidTags(texts.preheader),
    body: liquidTags(texts.body),
  };
  const html = scanHtml(maskLiquid(body, tags.body));
  const isTransactional = type === 'TRANSACTIONAL';
  const plainSubject = maskLiquid(subject, tags.subject).replaceAll(maskedCharacter, '');
  const own: OwnFinding[] = [
    ...checkSubject(plainSubject, subject.trim() === ''),
    ...checkPreheader(texts.preheader),
    ...checkText(html),
    ...checkLinks(html),
    ...checkImages(html),
    ...checkSize(rendered ?? body),
    ...(['subject', 'preheader', 'body'] as const).flatMap((field) =>
      checkVariables({ field, tags: tags[field], known, isTransactional }),
    ),
  ];
  return inOrder([
    ...own.map((finding) => ({ ...finding, rule: null })),
    ...checkContent({ content: { type, body, design }, address }).map(ofRule),
  ]);
}
