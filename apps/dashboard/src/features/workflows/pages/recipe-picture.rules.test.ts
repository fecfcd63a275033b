import { recipes } from '@postrider/core/automation/workflows/contract';
import { expect, it } from 'vitest';
import { pictureOf } from './recipe-picture.rules.ts';

it.each(Object.entries(recipes))(
  'the picture of %s has every step at a place of its own, below those before it',
  (_id, recipe) => {
    const steps = pictureOf(recipe);
    expect(steps.map(({ key }) => key)).toEqual(['trigger', ...recipe.steps.map(({ key }) => key)]);
    expect(new Set(steps.map(({ row, column }) => `${row} ${column}`)).size).toBe(steps.length);
    const rows = new Map(steps.map(({ key, row }) => [key, row]));
    for (const { from, to } of recipe.transitions) {
      expect(rows.get(to)).toBeGreaterThan(rows.get(from) ?? Number.POSITIVE_INFINITY);
    }
  },
);
