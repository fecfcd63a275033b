import { takeKey } from '../definitions/step-keys.rules.ts';
import { stepConfigSchema } from '../steps/steps.schema.ts';
import { triggerName } from '../trigger.ts';
import { readsOfStep } from '../workflows.rules.ts';
import type { Recipe } from './recipe.rules.ts';

/** The vertical distance of steps; the canvas of the dashboard has a layout of its own. */
const rowHeight = 120;

/**
 * The steps and transitions of a recipe, in the form in which they are stored. Their ids are the keys of the recipe.
 *
 * @param templateIds by the key of the step that sends it
 */
export function recipeGraph(
  { eventName, steps, transitions }: Recipe,
  templateIds: ReadonlyMap<string, string>,
) {
  const trigger = {
    key: 'trigger',
    type: 'TRIGGER' as const,
    name: triggerName('EVENT', { eventName }),
    config: { eventName },
  };
  const keys = new Set<string>();
  return {
    steps: [trigger, ...steps].map(({ key, type, name, config: given }, index) => {
      const stepKey = takeKey(keys, type, name);
      const { templateId: _, ...config } = stepConfigSchema(type, given).parse(given);
      return {
        id: key,
        key: stepKey,
        type,
        name,
        positionX: 100,
        positionY: 100 + index * rowHeight,
        config: stored(config),
        templateId: templateIds.get(key) ?? null,
        reads: readsOfStep(type, config),
        textReads: [],
      };
    }),
    transitions: transitions.map(({ from, to, branch = null, waitOutcome = null }) => ({
      fromStepId: from,
      toStepId: to,
      branch,
      waitOutcome,
      priority: 0,
    })),
  };
}

/** The configuration as JSON stores it: without absent keys. */
const stored = (config: Record<string, unknown>) => JSON.parse(JSON.stringify(config));
