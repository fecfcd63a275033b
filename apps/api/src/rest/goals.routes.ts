import { createGoal, deleteGoal, getGoal, listGoals, updateGoal } from '@postrider/core/automation/goals';
import { getGoalReport } from '@postrider/core/insight/analytics';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountGoals(door: RestDoor): void {
  mount(door, 'GET', '/goals', listGoals);
  mount(door, 'POST', '/goals', createGoal, { status: 201 });
  const one = '/goals/:id';
  mount(door, 'GET', one, getGoal);
  mount(door, 'PATCH', one, updateGoal);
  mount(door, 'DELETE', one, deleteGoal, { status: 204 });
  mount(door, 'GET', `${one}/report`, getGoalReport);
}
