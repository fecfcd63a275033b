export {
  cachedFigure,
  cachedTotal,
  estimatedFigure,
  figuresOf,
  sweepFigures,
} from './cached-figure.store.ts';
export { countedEmails } from './counted-emails.ts';
export { computeFiguresJob } from './figures.jobs.ts';
export { type Period, partsOf, quarterMs } from './parts.rules.ts';
export { quarter, quarterInterval, quarterOf } from './quarter.ts';
export { computeWanted, projectsWithWanted, type WantedFigures } from './wanted-figures.store.ts';
