import { z } from 'zod';
import { type FieldError, invalid, parseRequest } from '../../base/kernel/index.ts';
import { syntaxProblemsOf, type TemplateText } from '../../content/templates/index.ts';
import { type StepType, stepConfigSchema, stepDefinition } from './steps/steps.schema.ts';

export interface ReadConfig {
  config: Record<string, unknown>;
  /** from `config.templateId`; undefined when the configuration does not contain it */
  templateId: string | null | undefined;
}

/**
 * A step's configuration as stored.
 *
 * @throws AppError VALIDATION_ERROR with fields `config.…` (behaviour B2.7)
 */
export function readStepConfig(type: StepType, raw: Record<string, unknown>): ReadConfig {
  const { config } = parseRequest(z.object({ config: stepConfigSchema(type, raw) }), { config: raw });
  const { templateId, ...rest } = config;
  if (stepDefinition(type).holdsTemplates) assertTemplates(rest);
  // Only the schema of SEND_EMAIL has it.
  return { config: withoutAbsent(rest), templateId: templateId as string | null | undefined };
}

/** Omitted keys are not stored, so that a configuration is returned as it was written. */
const withoutAbsent = (config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));

/**
 * Any text may be a template; one that cannot be parsed is refused here rather than failing an execution. The schemas
 * limit the texts of a step to a few times 64 KiB, which are parsed in milliseconds.
 */
function assertTemplates(config: Record<string, unknown>): void {
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
  const errors = syntaxProblemsOf(texts).map(
    ({ field, message }): FieldError => ({ field, code: 'template_syntax', message }),
  );
  if (errors.length > 0) throw invalid(errors);
}
