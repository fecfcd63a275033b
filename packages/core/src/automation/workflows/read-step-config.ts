import { z } from 'zod';
import { type FieldError, invalid, parseRequest } from '../../base/kernel/index.ts';
import { readTextsOf } from '../../content/templates/index.ts';
import { templatesIn } from './config-texts.ts';
import { type StepType, stepConfigSchema } from './steps/steps.schema.ts';

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
  assertTemplates(type, rest);
  // Only the schema of SEND_EMAIL has it.
  return { config: withoutAbsent(rest), templateId: templateId as string | null | undefined };
}

/** Omitted keys are not stored, so that a configuration is returned as it was written. */
const withoutAbsent = (config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));

/** Any text may be a template; one that cannot be parsed is refused here rather than failing an execution. */
function assertTemplates(type: StepType, config: Record<string, unknown>): void {
  const errors = readTextsOf(templatesIn(type, config)).problems.map(
    ({ field, message }): FieldError => ({ field, code: 'template_syntax', message }),
  );
  if (errors.length > 0) throw invalid(errors);
}
