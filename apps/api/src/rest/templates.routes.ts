import { createTemplate, getTemplate, listTemplates } from '@postrider/core/templates';
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
}
