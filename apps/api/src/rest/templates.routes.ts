import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateUsage,
  getTemplateVersion,
  listTemplates,
  listTemplateVersions,
  restoreTemplateVersion,
  updateTemplate,
} from '@postrider/core/content/templates';
import type { RestDoor } from './door.ts';
import { missing } from './flat.ts';
import { mount } from './mount.ts';

export function mountTemplates(door: RestDoor): void {
  mount(door, 'GET', '/templates', listTemplates);
  mount(door, 'POST', '/templates', createTemplate, {
    status: 201,
    flat: missing('name', 'subject', 'body', 'from'),
  });
  mount(door, 'GET', '/templates/:id', getTemplate);
  mount(door, 'PATCH', '/templates/:id', updateTemplate);
  mount(door, 'DELETE', '/templates/:id', deleteTemplate, { status: 204 });
  mount(door, 'POST', '/templates/:id/duplicate', duplicateTemplate, { status: 201 });
  mount(door, 'GET', '/templates/:id/usage', getTemplateUsage);
  const version = '/templates/:id/versions/:version';
  mount(door, 'GET', '/templates/:id/versions', listTemplateVersions);
  mount(door, 'GET', version, getTemplateVersion);
  mount(door, 'POST', `${version}/restore`, restoreTemplateVersion);
}
