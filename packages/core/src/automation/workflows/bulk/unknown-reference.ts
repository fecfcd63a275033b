import { type AppError, invalid } from '../../../base/kernel/index.ts';

/** For a field that names something that the workflow or the project does not have. */
export const unknownReference = (field: string, message: string): AppError =>
  invalid([{ field, code: 'unknown_reference', message }]);
