import { abandonedCartRecipe } from './abandoned-cart-recipe.rules.ts';
import { reEngagementRecipe } from './re-engagement-recipe.rules.ts';
import type { Recipe } from './recipe.rules.ts';
import { trialEndRecipe } from './trial-end-recipe.rules.ts';
import { welcomeRecipe } from './welcome-recipe.rules.ts';

/** The built-in recipes, in the order in which they are offered. */
export const recipes = {
  welcome: welcomeRecipe,
  abandonedCart: abandonedCartRecipe,
  trialEnd: trialEndRecipe,
  reEngagement: reEngagementRecipe,
} satisfies Record<string, Recipe>;

export type RecipeId = keyof typeof recipes;

export const recipeIds = Object.keys(recipes) as [RecipeId, ...RecipeId[]];
