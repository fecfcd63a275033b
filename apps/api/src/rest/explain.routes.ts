import { explain } from '@postrider/core/insight/explain';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export const mountExplain = (door: RestDoor): void => mount(door, 'GET', '/explain', explain);
