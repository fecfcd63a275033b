import { readTextsOf, type TemplateText } from '../../content/templates/index.ts';
import { type StepType, stepDefinition } from './steps/steps.schema.ts';

/** All texts of a step's configuration that may be templates, by their fields. */
function textsOfConfig(config: unknown): TemplateText[] {
  const texts: TemplateText[] = [];
  const open: [string, unknown][] = [['config', config]];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const [field, value] = item;
    if (typeof value === 'string') {
      if (value.includes('{')) texts.push({ field, source: value, output: 'text' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) open.push([`${field}.${key}`, each]);
    }
  }
  return texts;
}

/** The texts of a step's configuration that are templates. */
export function templatesIn(type: StepType, config: unknown): TemplateText[] {
  const { holdsTemplates, texts } = stepDefinition(type);
  if (!holdsTemplates) return [];
  return textsOfConfig(texts ? texts(config as never) : config);
}

/**
 * The contact fields that the texts of a step name. The schemas limit these texts to a few times 64 KiB, which are parsed in
 * milliseconds.
 */
export const textReadsOfStep = (type: StepType, config: unknown): string[] =>
  readTextsOf(templatesIn(type, config)).reads;
