import type { Services } from '../../base/kernel/index.ts';
import { contentOf, type TemplateRow } from '../../content/templates/index.ts';
import type { MessagePreview } from '../message/index.ts';
import { renderPreview } from './render-preview.ts';

/** The email that a workflow would make from a template, without links that have an effect. */
export const previewTemplate = (
  services: Pick<Services, 'threads'>,
  project: { id: string; name: string; language: string },
  template: TemplateRow,
  contact: { id: string; email: string; subscribed: boolean; data: Record<string, unknown> },
): Promise<MessagePreview> =>
  renderPreview(services, project.id, {
    content: {
      ...contentOf(template),
      projectId: project.id,
      projectName: project.name,
      language: project.language,
      sourceType: 'WORKFLOW',
      headers: {},
      attachments: [],
      tracking: false,
    },
    contact,
    requestData: null,
    owner: { contactId: null, emailId: null },
    to: contact.email,
    toName: null,
    locale: project.language,
  });
