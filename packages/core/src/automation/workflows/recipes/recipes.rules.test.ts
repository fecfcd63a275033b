import { describe, expect, it } from 'vitest';
import { brandedDesign, compileDesign } from '../../../content/templates/contract.ts';
import { readTextsOf } from '../../../content/templates/index.ts';
import { defaultBrand } from '../../../people/projects/brand.rules.ts';
import { readStepConfig } from '../read-step-config.ts';
import { branchesOf, type Graph, outcomesOf, reachableFrom, transitionProblem } from '../workflows.rules.ts';
import type { Recipe, RecipeEmail } from './recipe.rules.ts';
import { recipeGraph } from './recipe-graph.ts';
import { recipes } from './recipes.rules.ts';

const bodyOf = ({ subject, content }: RecipeEmail): string =>
  compileDesign(brandedDesign({ name: 'Project', brand: { ...defaultBrand } }, content), {
    subject,
    language: 'en',
  });

describe.each(Object.entries<Recipe>(recipes))('the recipe %s', (_id, recipe) => {
  const { steps, transitions } = recipeGraph(
    recipe,
    new Map(recipe.steps.flatMap(({ key, email }) => (email ? [[key, `template of ${key}`]] : []))),
  );

  it('has configurations that the API accepts, and a template for each email', () => {
    for (const { type, config, templateId } of steps) {
      expect(readStepConfig(type, config).config).toEqual(config);
      expect(templateId !== null).toBe(type === 'SEND_EMAIL');
    }
  });

  it('is a graph without loops in which every step is reached', () => {
    const graph: Graph = { steps, transitions: [] };
    for (const transition of transitions) {
      expect(transitionProblem(graph, transition)).toBeNull();
      graph.transitions.push({ ...transition, id: String(graph.transitions.length) });
    }
    const reached = reachableFrom(['trigger'], graph.transitions);
    expect([...reached].sort()).toEqual(recipe.steps.map(({ key }) => key).sort());
  });

  it('has an email to read on at least one way, and nothing to fill in before it can be enabled', () => {
    expect(recipe.steps.some(({ email }) => email)).toBe(true);
    const problems = recipe.steps.flatMap(({ email }) =>
      email
        ? readTextsOf([
            { field: 'subject', source: email.subject, output: 'text' },
            { field: 'preheader', source: email.preheader, output: 'text' },
            { field: 'body', source: bodyOf(email), output: 'html' },
          ]).problems
        : [],
    );
    expect(problems).toEqual([]);
  });

  it('leads each outcome of a wait to a step', () => {
    for (const step of steps) {
      for (const outcome of outcomesOf(step) ?? []) {
        expect(transitions).toContainEqual(
          expect.objectContaining({ fromStepId: step.id, waitOutcome: outcome }),
        );
      }
      expect(branchesOf(step)?.length ?? 2).toBeGreaterThan(1);
    }
  });
});
