import { wantedFieldFigures } from '../contacts/index.ts';
import { wantedEventFigures } from '../events/index.ts';
import { computeWanted } from '../figures/index.ts';
import type { Services } from '../kernel/index.ts';

/** Computes the figures of large projects that requests have got as estimates. @returns how many */
export const computeFigures = (services: Services): Promise<number> =>
  computeWanted(services, [wantedFieldFigures, wantedEventFigures]);
