import { getContact, listContacts, upsertContact, verifyAddress } from '@postrider/core/contacts';
import type { RestDoor } from './door.ts';
import { missing } from './flat.ts';
import { mount } from './mount.ts';

export function mountContacts(door: RestDoor): void {
  mount(door, 'POST', '/v1/verify', verifyAddress, { envelope: true });
  mount(door, 'GET', '/contacts', listContacts);
  mount(door, 'POST', '/contacts', upsertContact, {
    flat: missing('email'),
    status: { all: [201, 200], of: ({ _meta }) => (_meta.isNew ? 201 : 200) },
  });
  mount(door, 'GET', '/contacts/:id', getContact);
}
