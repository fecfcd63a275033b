import type { Task } from '../../base/kernel/ports/threads.ts';
import {
  buildVariables,
  parseTemplate,
  type VariableSources,
} from '../../content/templates/language/index.ts';
import { createLinkBuilder } from './link-builder.ts';

export interface GapsInput {
  texts: readonly { source: string; output: 'text' | 'html' }[];
  recipients: readonly { address: string; contact: VariableSources['contact'] }[];
  language: string;
  /** how many are asked for */
  most: number;
}

/** An output that has no value for a recipient. */
export interface Gap {
  address: string;
  /** as it is written, without a leading `data.` */
  path: string;
}

/** What each recipient would miss in the texts of an email. */
export const findGapsTask: Task<GapsInput, Gap[]> = {
  name: 'sending.findGaps',
  run({ texts, recipients, language, most }, { linksUrl, secrets }) {
    const links = createLinkBuilder(linksUrl, secrets);
    const urls = links.urlsOf({ contactId: null, emailId: null });
    const templates = texts.map(({ source, output }) => parseTemplate(source, output));
    const gaps: Gap[] = [];
    for (const { address, contact } of recipients) {
      const vars = buildVariables({ contact, project: { language }, urls });
      const paths = new Set(
        templates.flatMap((template) => template.gaps(vars)).map((path) => path.replace(/^data\./, '')),
      );
      for (const path of paths) {
        gaps.push({ address, path });
        if (gaps.length >= most) return gaps;
      }
    }
    return gaps;
  },
};
