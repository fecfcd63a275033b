import { createWording, getWording, listWordings } from '@postrider/core/audience/consent';
import { getConsent, getConsentEvidence, listConsentActs } from '@postrider/core/audience/contacts';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountConsent(door: RestDoor): void {
  mount(door, 'GET', '/contacts/:id/consent', getConsent);
  mount(door, 'GET', '/contacts/:contactId/consent/acts', listConsentActs, {
    name: 'consent.listOfContact',
  });
  mount(door, 'GET', '/contacts/:id/consent/evidence', getConsentEvidence);
  mount(door, 'GET', '/consent/acts', listConsentActs);
  mount(door, 'GET', '/wordings', listWordings);
  mount(door, 'POST', '/wordings', createWording, {
    status: { all: [201, 200], of: ({ isNew }) => (isNew ? 201 : 200) },
  });
  mount(door, 'GET', '/wordings/:id', getWording);
}
