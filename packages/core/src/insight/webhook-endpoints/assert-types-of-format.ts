import { invalid } from '../../base/kernel/index.ts';
import { isTypeOfFormat, typesOfFormat, type WebhookFormat } from './formats/format-types.rules.ts';

/** @throws AppError VALIDATION_ERROR for a type that the format does not have */
export function assertTypesOfFormat(format: WebhookFormat, types: readonly string[]): void {
  if (format === 'POSTRIDER') return;
  const errors = types.flatMap((type, index) =>
    isTypeOfFormat(format, type)
      ? []
      : [
          {
            field: `types.${index}`,
            code: 'invalid_enum_value',
            message: `The format ${format} has * and ${typesOfFormat[format].join(', ')}`,
          },
        ],
  );
  if (errors.length > 0) throw invalid(errors);
}
