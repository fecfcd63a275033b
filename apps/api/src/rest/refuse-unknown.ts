import { invalid, unknownField } from '@postrider/core/base/kernel';

/**
 * Refuses parameters of a query and parts of a form that the endpoint does not describe (behaviour B1.1). Those of bodies are
 * found by their schema. Names that begin with `_` are not looked at.
 *
 * @throws AppError VALIDATION_ERROR with all of them
 */
export function refuseUnknown(names: readonly string[], described: readonly string[]): void {
  const unknown = names.filter((name) => !name.startsWith('_') && !described.includes(name));
  if (unknown.length > 0) throw invalid(unknown.map((name) => unknownField([name], described)));
}

/** The names of a query; none for one that was not parsed. */
export const queryNames = (query: unknown): string[] => Object.keys(query ?? {});
