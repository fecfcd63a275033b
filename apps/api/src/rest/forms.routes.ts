import {
  createForm,
  createSubscriptionRequest,
  deleteForm,
  getForm,
  getFormFigures,
  listForms,
  listSubscriptionRequests,
  updateForm,
} from '@postrider/core/mail/forms';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountForms(door: RestDoor): void {
  mount(door, 'GET', '/forms', listForms);
  mount(door, 'POST', '/forms', createForm, { status: 201 });
  const one = '/forms/:id';
  mount(door, 'GET', one, getForm);
  mount(door, 'PATCH', one, updateForm);
  mount(door, 'DELETE', one, deleteForm, { status: 204 });
  mount(door, 'GET', `${one}/figures`, getFormFigures);
  mount(door, 'GET', '/subscription-requests', listSubscriptionRequests);
  mount(door, 'POST', '/subscription-requests', createSubscriptionRequest, { status: 202 });
}
