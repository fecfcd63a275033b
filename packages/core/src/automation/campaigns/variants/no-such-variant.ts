import { type AppError, invalid } from '../../../base/kernel/index.ts';

/** The campaign has no variant of this key. */
export const noSuchVariant = (field: string): AppError =>
  invalid([{ field, code: 'invalid_enum_value', message: 'The campaign has no such variant' }]);
