import { type Complaints, type Given, present } from './fields.rules.ts';
import { refuseMarks } from './marks.rules.ts';

interface Content {
  subject?: unknown;
  html?: unknown;
  text?: unknown;
}

/** The names that a service has for the parts of a content. */
interface ContentNames {
  subject: string;
  html: string;
  text: string;
}

/** A text in which a template language would see something. */
const liquid = /\{[{%]/;

/**
 * The content of a message without a template. It is literal: no such service reads a template language in a request, so nothing in it may
 * be filled in or vanish (behaviour B16.2).
 */
export function literalContent(
  { subject, html, text }: Content,
  names: ContentNames,
  complaints: Complaints,
): Record<string, unknown> {
  refuseMarks(
    [
      [names.subject, subject],
      [names.html, html],
      [names.text, text],
    ],
    complaints,
  );
  // Without a template beside it, what is missing is the subject.
  if (subject === undefined || subject === null) complaints.add(names.subject, 'required', 'Required');
  // An empty part is none: clients give both.
  return present({
    subject,
    body: html === '' ? null : html,
    text: text === '' ? null : text,
    literal: true,
  });
}

/** What a message may say beside its template: a subject that no template language reads. */
export function besideTemplate(
  { subject, html, text }: Content,
  names: ContentNames,
  complaints: Complaints,
): Record<string, unknown> {
  for (const [name, value] of [
    [names.html, html],
    [names.text, text],
  ] as const)
    if (value !== undefined && value !== null && value !== '')
      complaints.refuse(name, 'Not beside a template, which has it');
  if (typeof subject === 'string' && liquid.test(subject))
    complaints.refuse(
      names.subject,
      'Beside a template, {{ and {% are not taken as they are: put it into the template',
    );
  return present({ subject });
}

/** The recipients of a request: as these services do, several of them share one message. */
export const togetherIfSeveral = ({ to, cc, bcc }: Given): Record<string, unknown> =>
  present({ to, cc, bcc, together: countOf(to) > 1 || countOf(cc) + countOf(bcc) > 0 ? true : null });

const countOf = (value: unknown): number => {
  if (value === undefined || value === null) return 0;
  return Array.isArray(value) ? value.length : 1;
};
