import { type AppError, conflict, suggestions } from '../../base/kernel/index.ts';

/** What was asked for is not what would be done now. */
export const changedError = (message: string): AppError =>
  conflict(message, { suggestion: suggestions.CONFLICT.approvalChanged });

/** An approval fails as `changed` when it is not what a person would agree to any more. */
export const failureOf = ({ code, message, suggestion }: AppError): Record<string, unknown> => ({
  code: suggestion === suggestions.CONFLICT.approvalChanged ? 'changed' : code,
  message,
});
