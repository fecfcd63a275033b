import type { Task } from '../../base/kernel/ports/threads.ts';
import {
  buildVariables,
  parseTemplate,
  type VariableSources,
} from '../../content/templates/language/index.ts';
import { createLinkBuilder } from './link-builder.ts';
import type { LinkOwner } from './message-content.ts';

export interface SubjectInput {
  source: string;
  contact: VariableSources['contact'];
  owner: LinkOwner;
  language: string;
}

export const renderSubjectsTask: Task<readonly SubjectInput[], string[]> = {
  name: 'sending.renderSubjects',
  run(subjects, { linksUrl, secrets }) {
    const links = createLinkBuilder(linksUrl, secrets);
    return subjects.map(({ source, contact, owner, language }) =>
      parseTemplate(source, 'text').render(
        buildVariables({ contact, project: { language }, urls: links.urlsOf(owner) }),
      ),
    );
  },
};
