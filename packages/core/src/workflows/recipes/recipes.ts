import { abandonedCartRecipe } from './abandoned-cart.recipe.ts';
import { reEngagementRecipe } from './re-engagement.recipe.ts';
import type { Recipe } from './recipe.ts';
import { trialEndRecipe } from './trial-end.recipe.ts';
import { welcomeRecipe } from './welcome.recipe.ts';

/** The built-in recipes, in the order in which they are offered. */
export const recipes = {
  welcome: welcomeRecipe,
  abandonedCart: abandonedCartRecipe,
  trialEnd: trialEndRecipe,
  reEngagement: reEngagementRecipe,
} satisfies Record<string, Recipe>;

export type RecipeId = keyof typeof recipes;

export const recipeIds = Object.keys(recipes) as [RecipeId, ...RecipeId[]];
