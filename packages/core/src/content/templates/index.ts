export { assertTemplateSyntax } from './assert-template-syntax.ts';
export { createBlock } from './blocks/create-block.ts';
export { deleteBlock } from './blocks/delete-block.ts';
export { getBlock } from './blocks/get-block.ts';
export { listBlocks } from './blocks/list-blocks.ts';
export { updateBlock } from './blocks/update-block.ts';
export { createTemplate } from './create-template.ts';
export { deleteTemplate } from './delete-template.ts';
export { type Design, designOf, presentDesign } from './design.schema.ts';
export { duplicateTemplate } from './duplicate-template.ts';
export {
  contentFields,
  contentOf,
  type EmailContent,
} from './email-content.schema.ts';
export { getTemplate, templateNotFound } from './get-template.ts';
export { getTemplateUsage } from './get-template-usage.ts';
export { getTemplates } from './get-templates.ts';
export { getUsageOfTemplates } from './get-usage-of-templates.ts';
export { listTemplates } from './list-templates.ts';
export { readTemplate, type SendableTemplate } from './read-template.store.ts';
export { readTextsOf, type TemplateText } from './read-texts.task.ts';
export { parseMs, readTexts, readUnread, textsOf } from './read-texts.ts';
export { readUnreadTemplates } from './read-unread-templates.ts';
export { bytesOfTexts } from './stored-bytes.rules.ts';
export { nameOfCopy } from './templates.rules.ts';
export {
  designBytesOfTemplate,
  findDesignedTemplate,
  findTemplate,
  idOfTemplate,
  insertTemplate,
  type TemplateRow,
} from './templates.store.ts';
export { updateTemplate } from './update-template.ts';
export { getTemplateVersion } from './versions/get-version.ts';
export { listTemplateVersions } from './versions/list-versions.ts';
export { restoreTemplateVersion } from './versions/restore-version.ts';
