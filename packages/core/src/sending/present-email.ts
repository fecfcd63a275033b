import type { Services } from '../kernel/services.ts';
import { buildVariables, parseTemplate } from '../templates/language/index.ts';
import type { EmailRow } from './emails.store.ts';
import { createLinkBuilder } from './link-builder.ts';
import { linkOwnerOf, shownContactOf } from './sending.rules.ts';

/** The variables that an email is rendered with (B1.3). */
export function variablesOf(services: Services, email: EmailRow, language: string): Record<string, unknown> {
  const links = createLinkBuilder(services.config.API_URL, services.secrets);
  return buildVariables({
    contact: shownContactOf(email),
    project: { language },
    urls: links.urlsOf(linkOwnerOf(email)),
  });
}

/**
 * An email in the form of the API. A subject that is still a template is rendered here; sending stores the rendered one.
 *
 * @param milliseconds time limit of rendering; afterwards variables are filled in without tags
 */
export function presentEmail<Row extends EmailRow>(
  services: Services,
  language: string,
  email: Row,
  milliseconds?: number,
): Row & { subject: string } {
  const { plainSubject } = email;
  if (email.subject !== null) return { ...email, subject: email.subject };
  if (!plainSubject.includes('{') || email.contentClearedAt) return { ...email, subject: plainSubject };
  const vars = variablesOf(services, email, language);
  const options = milliseconds === undefined ? {} : { milliseconds };
  return { ...email, subject: parseTemplate(plainSubject, 'text').renderDetailed(vars, options).text };
}

/** Total time limit for the subjects of one page: a hundred endless loops must not block the process. */
const pageMilliseconds = 1_000;

/** A page of emails in the form of the API. */
export function presentEmails<Row extends EmailRow>(
  services: Services,
  language: string,
  emails: readonly Row[],
): (Row & { subject: string })[] {
  const end = performance.now() + pageMilliseconds;
  return emails.map((email) => presentEmail(services, language, email, Math.max(0, end - performance.now())));
}
