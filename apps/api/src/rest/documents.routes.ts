import { deleteDocument, listDocuments, persistDocuments } from '@postrider/core/base/documents';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountDocuments(door: RestDoor): void {
  mount(door, 'GET', '/graphql/persisted', listDocuments);
  mount(door, 'POST', '/graphql/persisted', persistDocuments, { status: 201 });
  mount(door, 'DELETE', '/graphql/persisted/:id', deleteDocument, { status: 204 });
}
