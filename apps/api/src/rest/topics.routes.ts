import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from '@postrider/core/audience/topics';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountTopics(door: RestDoor): void {
  mount(door, 'GET', '/topics', listTopics);
  mount(door, 'POST', '/topics', createTopic, { status: 201 });
  const one = '/topics/:id';
  mount(door, 'GET', one, getTopic);
  mount(door, 'PATCH', one, updateTopic);
  mount(door, 'DELETE', one, deleteTopic, { status: 204 });
}
