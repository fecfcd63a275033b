import type { WrittenVariant } from '../facts.rules.ts';
import type { Found } from '../found.rules.ts';

/** What was found in the body of a variant. */
export const ofVariant = ({ index, key }: WrittenVariant, message: string): Found => ({
  field: `test.variants.${index}.body`,
  message: `Variant ${key}: ${message}`,
  details: { variant: key },
});
