import {
  addSuppressions,
  deleteSuppression,
  getSuppression,
  listSuppressions,
  removeSuppressions,
} from '@postrider/core/audience/contacts';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountSuppressions(door: RestDoor): void {
  mount(door, 'GET', '/suppressions', listSuppressions);
  mount(door, 'POST', '/suppressions', addSuppressions);
  mount(door, 'POST', '/suppressions/remove', removeSuppressions);
  mount(door, 'GET', '/suppressions/:email', getSuppression);
  mount(door, 'DELETE', '/suppressions/:email', deleteSuppression, { status: 204 });
}
