import { createContext } from 'react';
import { type Failure, withoutFields } from '../../../lib/failure.ts';

/** The messages about a step or trigger by field, for parts of its form that are no fields: filters, and events that are awaited. */
export const StepFailures = createContext<Readonly<Record<string, string>>>({});

const shownElsewhere =
  /^(?:config\.(?:condition|events|branches\.\d+\.condition)|triggerConfig\.(?:where|filter))(?=\.|$)/;

/** The failure without what these parts show themselves. */
export const ofFields = (failure: Failure): Failure =>
  Object.keys(failure.fields).reduce((left, field) => {
    const [part] = shownElsewhere.exec(field) ?? [];
    return part === undefined ? left : withoutFields(left, part);
  }, failure);
