import {
  createBlock,
  deleteBlock,
  getBlock,
  listBlocks,
  updateBlock,
} from '@postrider/core/content/templates';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountBlocks(door: RestDoor): void {
  mount(door, 'GET', '/blocks', listBlocks);
  mount(door, 'POST', '/blocks', createBlock, { status: 201 });
  mount(door, 'GET', '/blocks/:id', getBlock);
  mount(door, 'PATCH', '/blocks/:id', updateBlock);
  mount(door, 'DELETE', '/blocks/:id', deleteBlock, { status: 204 });
}
