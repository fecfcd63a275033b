import type { Services } from '../../base/kernel/services.ts';
import { buildVariables, type Variables } from '../../content/templates/language/index.ts';
import { createLinkBuilder } from './link-builder.ts';

export interface ContactVariables {
  contact: { id: string; email: string; subscribed: boolean; data: Record<string, unknown> };
  /** of a workflow execution */
  context: Record<string, unknown>;
  language: string;
}

/** The variables (B1.3) of texts outside of emails: addresses, headers and values in the steps of a workflow. */
export function contactVariables(
  services: Services,
  { contact, context, language }: ContactVariables,
): Variables {
  const links = createLinkBuilder(services.config.LINKS_URL, services.secrets);
  return buildVariables({
    contact,
    context,
    project: { language },
    urls: links.urlsOf({ contactId: contact.id, emailId: null }),
  });
}
